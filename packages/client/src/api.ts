import type { MaybeOptionalInit } from 'openapi-fetch';
import type { FileSource } from './multipart.js';
import type { Patience } from './retries.js';
import type { paths } from './schema.js';
import type { Metadata, Resource } from './types.js';

/** Options of every call in addition to its parameters. */
export interface CallOptions {
  readonly patience?: Patience;
  readonly signal?: AbortSignal;
  /** Whether the request may be sent twice: by default, GETs and requests with an Idempotency-Key may. */
  readonly repeatable?: boolean;
}

export interface Answer<T> {
  readonly status: number;
  readonly value: T;
  /** The entity tag that makes a change conditional, sent as `If-Match`. */
  readonly etag: string | null;
}

export type Verb = 'get' | 'post' | 'put' | 'patch' | 'delete';
/** The responses of an operation that a call can read: streams and files need `open`. */
type Readable<Method extends Verb> = Method extends 'get'
  ? { 200: { content: { 'application/json': unknown } } }
  : unknown;
type PathsWith<Method extends Verb> = {
  [Path in keyof paths]: paths[Path] extends Record<Method, { responses: Readable<Method> }> ? Path : never;
}[keyof paths];
type Init<Path extends keyof paths, Method extends Verb> = Exclude<
  MaybeOptionalInit<paths[Path], Method & keyof paths[Path]>,
  undefined
>;
type JsonOf<Response> = Response extends { content: { 'application/json': infer Json } } ? Json : never;
/** The JSON of an operation's success; a partial response (206) may have any form. */
type Data<Operation> = Operation extends { responses: infer Responses }
  ? {
      [Status in keyof Responses]: Status extends 200 | 201 | 202 ? JsonOf<Responses[Status]> : never;
    }[keyof Responses]
  : never;

type OptionsOf<Path extends keyof paths, Method extends Verb, Restriction = unknown> =
  object extends Init<Path, Method>
    ? [init?: Init<Path, Method> & CallOptions & Restriction]
    : [init: Init<Path, Method> & CallOptions & Restriction];

/** Calls an operation by its path. Throws ApiError for an unsuccessful response, or Unreachable. */
export type Call<Method extends Verb> = <Path extends PathsWith<Method>>(
  path: Path,
  ...init: OptionsOf<Path, Method>
) => Promise<Answer<Data<paths[Path][Method & keyof paths[Path]]>>>;

interface Unconditional {
  readonly params?: { readonly header?: { readonly 'If-None-Match'?: undefined } };
}
type Unchanged<Operation> = Operation extends { responses: { 304: unknown } } ? undefined : never;

/** Reads JSON. If it may have an `If-None-Match`, the value may be undefined (status 304): it has not changed. */
export interface Get {
  <Path extends PathsWith<'get'>>(
    path: Path,
    ...init: OptionsOf<Path, 'get', Unconditional>
  ): Promise<Answer<Data<paths[Path]['get']>>>;
  <Path extends PathsWith<'get'>>(
    path: Path,
    ...init: OptionsOf<Path, 'get'>
  ): Promise<Answer<Data<paths[Path]['get']> | Unchanged<paths[Path]['get']>>>;
}

/** A file, or the target of a URL, under a name. */
export interface NewSource extends CallOptions {
  readonly name: string;
  /** Determines the pipeline. */
  readonly type: string;
  /** Data for finding the resource. */
  readonly metadata?: Metadata;
  /** The same for all tries of one registration; a new one by default. */
  readonly idempotencyKey?: string;
}

export interface NewUpload extends NewSource {
  readonly file: Blob | FileSource;
  /** Its extension helps to detect the format. Default: the name of a `File`, otherwise `name`. */
  readonly fileName?: string;
  readonly onSent?: (bytes: number) => void;
}

/** A client of the service's API. Every method throws ApiError for an unsuccessful response, or Unreachable. */
export interface Client {
  readonly GET: Get;
  readonly POST: Call<'post'>;
  readonly PUT: Call<'put'>;
  readonly PATCH: Call<'patch'>;
  readonly DELETE: Call<'delete'>;
  /** Opens a path below /api/v1 and returns the raw response: a success or, with `If-None-Match`, also a 304. */
  open(
    path: string,
    options?: CallOptions & { readonly headers?: Record<string, string> },
  ): Promise<Response>;
  /** Streams the service's live events. See `followEvents`. */
  events(options?: {
    readonly lastEventId?: string | null;
    readonly signal?: AbortSignal;
  }): AsyncGenerator<ServiceEvent, never>;
  /** Waits until a resource is no longer PROCESSING. See `waitForResource`. */
  waitFor(
    id: string,
    options?: { readonly signal?: AbortSignal; readonly onChange?: (resource: Resource) => void },
  ): Promise<Resource | null>;
  /** Registers a file as a resource. Throws the error of a file that cannot be read. */
  upload(upload: NewUpload): Promise<Resource>;
  /** Registers a URL as a resource. */
  addUrl(source: NewSource & { readonly url: string }): Promise<Resource>;
}

/** An event of the service's event stream. */
export interface ServiceEvent {
  /** The `Last-Event-ID` that continues the stream after this event, or null if the event has none. */
  readonly id: string | null;
  /** ready, reset, resource.updated, step.updated … */
  readonly name: string;
  readonly fields: Readonly<Record<string, unknown>>;
}
