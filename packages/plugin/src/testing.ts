import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { checkArtifact, encode } from './check-artifact.js';
import { collectEmitted } from './collect-emitted.js';
import { bytesOf, isStreamed } from './content-bytes.js';
import { invalidResult, PluginFailure } from './plugin-failure.js';
import { messageOf } from './protocol/text.js';
import { createInputs, createSource } from './inputs.js';
import { parseConfig } from './parse-config.js';
import type {
  AnyPlugin,
  CleanupContext,
  ContentType,
  EmittedArtifact,
  PluginContext,
  PluginFetch,
  PluginInput,
  PluginLog,
  ResourceMetadata,
} from './types.js';

/** The input of a plugin run. */
export interface PluginRun {
  readonly config?: unknown;
  /** The source's bytes, or a function that opens them. */
  readonly source?: string | Uint8Array | (() => Readable);
  readonly name?: string;
  readonly mediaType?: string | null;
  /** Default: UPLOAD. */
  readonly sourceType?: 'UPLOAD' | 'URL';
  /** Artifacts of earlier steps, by type: a text, an object or a vector. */
  readonly inputs?: Readonly<Record<string, string | object | readonly unknown[]>>;
  /** The metadata of those artifacts, by type; none by default. */
  readonly inputMetadata?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** The resource's metadata; empty by default. */
  readonly metadata?: ResourceMetadata;
  readonly resourceId?: string;
  /** The resource's run; 1 by default. */
  readonly run?: number;
  readonly deadline?: Date;
  readonly fetch?: PluginFetch;
  readonly signal?: AbortSignal;
}

/** The input of a clean-up. */
export interface PluginCleanUp {
  readonly config?: unknown;
  readonly reason?: CleanupContext<unknown>['reason'];
  readonly resourceId?: string;
  readonly run?: number;
  /** The types of the removed artifacts; by default all that the plugin produces. */
  readonly artifacts?: readonly string[];
}

/** An artifact as Core would store it, with its whole content. */
export interface CollectedArtifact {
  readonly type: string;
  readonly content_type: ContentType;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests assert its type
  readonly content: any;
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface PluginOutcome {
  readonly artifacts: ReadonlyMap<string, CollectedArtifact>;
  readonly progress: readonly (readonly [fraction: number, message: string | undefined])[];
}

const aResource = '01890a5d-ac96-774b-bcce-b302099a8057';

const silent: PluginLog = { info: () => undefined, warn: () => undefined, error: () => undefined };

/**
 * Runs a plugin once without Core; everything is in memory. Throws what the plugin throws: a PluginFailure from
 * `ctx.fail`, for a config that does not match its schema, or for an artifact that breaks the rules.
 */
export async function runPlugin(plugin: AnyPlugin, run: PluginRun = {}): Promise<PluginOutcome> {
  const progress: (readonly [number, string | undefined])[] = [];
  const { source = '', mediaType = null, inputs = {}, inputMetadata = {} } = run;
  const sizeBytes = typeof source === 'function' ? null : Buffer.byteLength(source);
  const resource = { media_type: mediaType, size_bytes: sizeBytes, sha256: null };
  const emitted = collectEmitted(collect, ({ type }) => {
    throw new TypeError(`The artifact ${type} was emitted after run() had returned.`);
  });
  const context: PluginContext<unknown> = {
    resource: {
      ...resource,
      id: run.resourceId ?? aResource,
      name: run.name ?? 'Untitled',
      type: 'document',
      source_type: run.sourceType ?? 'UPLOAD',
      metadata: run.metadata ?? {},
    },
    run: run.run ?? 1,
    stepIndex: 0,
    attempt: { number: 1, max: 1, deadline: run.deadline ?? new Date(Date.now() + 3_600_000) },
    config: parseConfig(plugin.configSchema, run.config ?? {}),
    source: createSource(resource, () =>
      Promise.resolve(typeof source === 'function' ? source() : open(source)),
    ),
    inputs: createInputs(
      Object.entries(inputs).map(([type, content]) => toInput(type, content, inputMetadata[type])),
      ({ content }) => Promise.resolve(open(typeof content === 'string' ? content : JSON.stringify(content))),
    ),
    signal: run.signal ?? new AbortController().signal,
    log: silent,
    fetch: run.fetch ?? fetch,
    emit: emitted.emit,
    progress: (fraction, message) => void progress.push([fraction, message]),
    fail: (code, message, options) => {
      throw new PluginFailure(code, message, options);
    },
  };
  await plugin.run(context as PluginContext<never>);
  const artifacts = await emitted.complete();
  return { artifacts: new Map(artifacts.map((artifact) => [artifact.type, artifact])), progress };
}

/** Runs a plugin's clean-up once. Throws what the plugin throws. */
export async function runCleanup(plugin: AnyPlugin, cleanUp: PluginCleanUp = {}): Promise<void> {
  const context: CleanupContext<unknown> = {
    reason: cleanUp.reason ?? 'RESOURCE_DELETED',
    resource: { id: cleanUp.resourceId ?? aResource },
    run: cleanUp.run ?? 1,
    artifacts: (cleanUp.artifacts ?? plugin.produces).map((type) => ({ artifact_id: type, type })),
    config: parseConfig(plugin.configSchema, cleanUp.config ?? {}),
    signal: new AbortController().signal,
    log: silent,
    fetch,
  };
  await plugin.cleanup?.(context as CleanupContext<never>);
}

function open(content: string | Uint8Array): Readable {
  return Readable.from(Buffer.from(content as string), { objectMode: false });
}

function toInput(
  type: string,
  content: string | object,
  metadata: Readonly<Record<string, unknown>> = {},
): PluginInput & { readonly content: string | object } {
  const content_type = typeof content === 'string' ? 'text' : Array.isArray(content) ? 'vector' : 'json';
  return { artifact_id: type, type, content_type, metadata, content };
}

async function collect(artifact: EmittedArtifact): Promise<CollectedArtifact> {
  const { type, content_type, content, metadata = {} } = artifact;
  if (!isStreamed(content))
    return { type, content_type, metadata, content: parse(artifact, encode(artifact)) };
  const whole = parse(artifact, await buffer(bytesOf(content)));
  // Core checks the content of streams as it arrives.
  checkArtifact({ ...artifact, content: whole } as EmittedArtifact);
  return { type, content_type, metadata, content: whole };
}

function parse({ type, content_type }: EmittedArtifact, bytes: Buffer): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return content_type === 'text' ? text : (JSON.parse(text) as unknown);
  } catch (error) {
    throw invalidResult(`The artifact ${type} was not accepted: ${messageOf(error)}`);
  }
}
