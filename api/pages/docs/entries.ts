import type { OpenApiDocument, Operation } from '../../openapi/types.js';

/** A body of one media type, as the document has it. */
export interface Content {
  readonly schema?: object;
  readonly examples?: Readonly<Record<string, Example>>;
}

export interface Example {
  readonly summary?: string;
  readonly value: unknown;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly schema: ParameterSchema;
}

export interface ParameterSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
}

export interface Answer {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly description: string }>>;
  readonly content?: Readonly<Record<string, Content>>;
}

/** A field of the form that `multipart/form-data` stands for. */
export interface FormField {
  readonly name: string;
  readonly isFile: boolean;
  readonly isRequired: boolean;
}

/** An operation, with where it is. */
export interface Entry extends Pick<Operation, 'operationId' | 'summary' | 'description' | 'tags'> {
  readonly method: string;
  /** From the root. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** By media type; nothing for operations without a body. */
  readonly requests: Readonly<Record<string, Content>>;
  readonly isBodyRequired: boolean;
  /** Of multipart/form-data. */
  readonly form: readonly FormField[];
  /** Those of its own, by status. */
  readonly answers: Readonly<Record<string, Answer>>;
  /** What it is called with: an API key, the token of an attempt, or nothing. */
  readonly access: 'key' | 'token' | 'open';
}

const methods = ['get', 'post', 'put', 'patch', 'delete'];

/** Every operation of a document, in its order. */
export function listEntries(document: OpenApiDocument): Entry[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    methods
      .filter((method) => item[method] !== undefined)
      .map((method) => toEntry(document, method, path, item[method] as Operation)),
  );
}

function toEntry(document: OpenApiDocument, method: string, path: string, operation: Operation): Entry {
  const { operationId, summary, description, tags, security, parameters, requestBody, responses } = operation;
  const body = requestBody as
    { readonly required?: boolean; readonly content: Entry['requests'] } | undefined;
  const [needs] = security;
  return {
    operationId,
    summary,
    description,
    tags,
    method: method.toUpperCase(),
    path,
    parameters: parameters as readonly Parameter[],
    requests: Object.fromEntries(
      Object.entries(body?.content ?? {}).map(([type, content]) => [
        type,
        { ...content, schema: resolve(document, content.schema) },
      ]),
    ),
    isBodyRequired: body?.required ?? false,
    form: listFields(resolve(document, body?.content['multipart/form-data']?.schema)),
    answers: Object.fromEntries(ownAnswers(responses as Responses)),
    access: needs === undefined ? 'open' : 'callbackToken' in needs ? 'token' : 'key',
  };
}

type Responses = Readonly<Record<string, Answer | { readonly $ref: string }>>;

const ownAnswers = (responses: Responses): (readonly [string, Answer])[] =>
  Object.entries(responses).filter((entry): entry is [string, Answer] => !('$ref' in entry[1]));

/** The answers that every operation refers to, by status. */
export function listSharedAnswers(document: OpenApiDocument): (readonly [string, Answer])[] {
  const { responses } = document.components as { readonly responses: Readonly<Record<string, Answer>> };
  const [item] = Object.values(document.paths);
  const operation = methods.map((method) => item?.[method]).find(Boolean) as Operation | undefined;
  return Object.entries((operation?.responses ?? {}) as Responses).flatMap(([status, answer]) => {
    const shared = '$ref' in answer ? responses[answer.$ref.split('/').at(-1) ?? ''] : undefined;
    return shared === undefined ? [] : [[status, shared] as const];
  });
}

interface FormSchema {
  readonly properties?: Readonly<Record<string, { readonly contentMediaType?: string }>>;
  readonly required?: readonly string[];
}

function listFields({ properties = {}, required = [] }: FormSchema): FormField[] {
  return Object.entries(properties).map(([name, { contentMediaType }]) => ({
    name,
    isFile: contentMediaType !== undefined,
    isRequired: required.includes(name),
  }));
}

/** A schema itself where the document names it: what a request takes is read where it is written. */
function resolve({ components }: OpenApiDocument, schema: object = {}): object {
  const { schemas } = components as { readonly schemas: Readonly<Record<string, object>> };
  const { $ref } = schema as { readonly $ref?: string };
  return schemas[$ref?.split('/').at(-1) ?? ''] ?? schema;
}
