import type { CallToolResult, StandardSchemaWithJSON, ToolAnnotations } from '#bundled/mcp-server';
import { fromJsonSchema, type McpServer } from '#bundled/mcp-server';
import { findingsOf } from '../../runtime/content/json-schema.js';
import { hasScope, type KeyScope } from '../auth/principal.js';
import type { Schema } from '../schemas/typed.js';
import type { McpCall } from './call.js';
import { toServiceError } from '../reply/service-error.js';
import { explainToModel } from './errors.js';
import { withoutOwnKeywords } from './own-keywords.js';

interface ToolSpec<Input, Output> {
  readonly name: string;
  readonly title: string;
  /** For a model that chooses among tools: what it returns, when to use it and what to call next. */
  readonly description: string;
  /** Keys without this scope do not see the tool. */
  readonly scope: KeyScope;
  readonly input: Schema<Input>;
  readonly output: Schema<Output>;
  readonly annotations: ToolAnnotations;
  run(input: Input, call: McpCall): Promise<Output>;
}

/** A registered tool, without the types of its input and output. */
export interface Tool extends Pick<ToolSpec<never, never>, 'name' | 'scope'> {
  register(server: McpServer, call: McpCall): void;
}

/** Declares a tool. The types of its input and output follow from their schemas. */
export function defineTool<Input, Output extends object>(tool: ToolSpec<Input, Output>): Tool {
  const { name, title, description, scope, annotations } = tool;
  const config = {
    title,
    description,
    annotations,
    inputSchema: asStandard<Input>(tool.input),
    outputSchema: asStandard<Output>(tool.output),
  };
  return {
    name,
    scope,
    register(server, call) {
      server.registerTool(name, config, async (input) => {
        try {
          return answer(await tool.run(input, call));
        } catch (error) {
          return refuse(call, error);
        }
      });
    },
  };
}

/** Registers the tools that the caller's key may call. */
export function registerTools(server: McpServer, call: McpCall, tools: readonly Tool[]): void {
  for (const tool of tools) if (hasScope(call.principal, tool.scope)) tool.register(server, call);
}

/** Returns the output twice: as a value, and as text for clients that read only text. */
const answer = (output: object): CallToolResult => ({
  structuredContent: { ...output },
  content: [{ type: 'text', text: JSON.stringify(output) }],
});

function refuse({ deps, requestId }: McpCall, thrown: unknown): CallToolResult {
  const error = toServiceError(deps.log, thrown);
  return { isError: true, content: [{ type: 'text', text: explainToModel(error, requestId) }] };
}

/** Converts one of our schemas for the SDK: clients see it without our own keywords, but validation uses them. */
function asStandard<T>(schema: object): StandardSchemaWithJSON<T, T> {
  const shown = withoutOwnKeywords(schema) as Record<string, unknown>;
  return fromJsonSchema<T>(shown, {
    getValidator: () => (input) => {
      const findings = findingsOf(schema, input);
      if (findings.length === 0) return { valid: true, data: input as never, errorMessage: undefined };
      const errorMessage = findings
        .map(({ path, message }) => `${path || 'The input'} ${message}`)
        .join('; ');
      return { valid: false, data: undefined, errorMessage };
    },
  });
}
