/// <reference types="node" preserve="true" />
import type { Readable } from 'node:stream';
import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import type { ContentType, ResourceMetadata } from './protocol/step.js';

export type { ContentType, ResourceMetadata } from './protocol/step.js';

/** The resource that a step works on. */
export interface PluginResource {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  /** Whether its bytes were uploaded or fetched; null from older versions of Core. */
  readonly source_type: 'UPLOAD' | 'URL' | null;
  /** The media type detected when the bytes were stored, for example `application/pdf`. */
  readonly media_type: string | null;
  readonly size_bytes: number | null;
  /** Lower-case hex. */
  readonly sha256: string | null;
  /** The resource's metadata when the attempt began. */
  readonly metadata: ResourceMetadata;
}

/** The uploaded or fetched bytes. */
export interface PluginSource {
  readonly mediaType: string | null;
  readonly sizeBytes: number | null;
  /** Opens the bytes. Each call starts at the beginning. */
  stream(): Promise<Readable>;
  /** Reads all bytes into memory; use it only for sources that are known to be small. */
  buffer(): Promise<Buffer>;
}

/** An artifact of an earlier step of the same run. */
export interface PluginInput {
  readonly artifact_id: string;
  readonly type: string;
  readonly content_type: ContentType;
  /** What its plugin emitted besides the content; empty from older versions of Core. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

/**
 * The artifacts of earlier steps. If several have the same type, the latest step's is used. The readers throw a
 * non-retryable MISSING_INPUT failure if no earlier step produced the type, and INVALID_INPUT if the artifact has
 * another content type.
 */
export interface PluginInputs {
  readonly list: readonly PluginInput[];
  has(type: string): boolean;
  text(type: string): Promise<string>;
  json(type: string): Promise<Record<string, unknown>>;
  vector(type: string): Promise<number[] | number[][]>;
  stream(type: string): Promise<Readable>;
}

/**
 * Content of any size, provided in pieces: a text, or the text of a JSON value, as strings or bytes of UTF-8. Every
 * Readable is a ContentStream. It is read once, and a Readable is destroyed if its artifact is refused.
 */
export type ContentStream = AsyncIterable<string | Uint8Array>;

/** The numbers of a vector, which are stored as JSON. */
type Vector = readonly number[] | Float32Array | Float64Array;

/**
 * A step's output. `type` matches `^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$` and is unique within the step. JSON
 * content is an object; a vector is an array of finite numbers, or an array of such arrays of equal length.
 */
export type EmittedArtifact = {
  readonly type: string;
  /** At most 16 KiB as JSON. */
  readonly metadata?: Record<string, unknown>;
} & (
  | { readonly content_type: 'text'; readonly content: string | ContentStream }
  | { readonly content_type: 'json'; readonly content: object | ContentStream }
  | {
      readonly content_type: 'vector';
      readonly content: Vector | readonly Vector[] | ContentStream;
    }
);

export interface FailOptions {
  /** Whether another attempt may succeed; true by default. */
  readonly retryable?: boolean;
  readonly retryAfterSeconds?: number;
  /** At most 64 KiB as JSON; longer details are replaced by a note. */
  readonly details?: Record<string, unknown>;
}

export interface PluginLog {
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
  error(fields: Record<string, unknown>, message: string): void;
}

/**
 * Like the global `fetch`, for an address that an operator put into the config: the operator decides which addresses
 * the plugin may reach. Within Core, redirects are not followed, and a forbidden address (see `KW_PLUGIN_HOSTS`) fails
 * with an error whose `code` is URL_NOT_ALLOWED.
 */
export type PluginFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** The argument of `run`: one attempt of one step. */
export interface PluginContext<Config> {
  readonly resource: PluginResource;
  readonly run: number;
  readonly stepIndex: number;
  readonly attempt: { readonly number: number; readonly max: number; readonly deadline: Date };
  readonly config: Config;
  readonly source: PluginSource;
  readonly inputs: PluginInputs;
  /** Aborts on timeout, cancellation and shutdown of the worker. */
  readonly signal: AbortSignal;
  readonly log: PluginLog;
  readonly fetch: PluginFetch;
  /**
   * Emits an artifact; all artifacts of a step become visible together when `run` returns. Resolves once Core has
   * stored the content. Throws a non-retryable INVALID_RESULT failure for an artifact that breaks the rules; if the
   * plugin does not await it, the step fails with it. An artifact emitted after `run` has returned is lost.
   */
  emit(artifact: EmittedArtifact): Promise<void>;
  /**
   * Shows progress on the step: a fraction from 0 to 1 and a short message. May be called at any rate: about one call
   * per second is sent, and always the last one. Never throws or waits.
   */
  progress(fraction: number, message?: string): void;
  /** Ends the attempt as a failure with a code defined by the plugin. */
  fail(code: string, message: string, options?: FailOptions): never;
}

/**
 * The argument of `cleanup`, which is called after a resource was deleted or artifacts were removed. It may be called
 * more than once, and for data that no longer exists; it must then succeed.
 */
export interface CleanupContext<Config> {
  readonly reason: 'RESOURCE_DELETED' | 'ARTIFACTS_REMOVED';
  readonly resource: { readonly id: string };
  /** Remove what this run and earlier ones wrote. After ARTIFACTS_REMOVED, a later run may have written new data. */
  readonly run: number;
  readonly artifacts: readonly { readonly artifact_id: string; readonly type: string }[];
  readonly config: Config;
  readonly signal: AbortSignal;
  readonly log: PluginLog;
  readonly fetch: PluginFetch;
}

/** A plugin as its author writes it: the same for Core, a Temporal activity worker and an HTTP worker. */
export interface PluginDefinition<Schema extends JSONSchema = JSONSchema, Config = FromSchema<Schema>> {
  /** A slug: `^[a-z0-9][a-z0-9-]{0,62}$`. */
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly description?: string;
  /**
   * JSON Schema of the config, from which the type of `ctx.config` is derived. The host fills in its defaults, and
   * fails an attempt with a non-retryable INVALID_CONFIG if the config does not match. A config that does not match can
   * be saved; the API then returns a warning.
   */
  readonly configSchema: Schema;
  /** The initial config of a new registration. */
  readonly defaultConfig?: Record<string, unknown>;
  /** The artifact types that `run` may emit. */
  readonly produces: readonly string[];
  /**
   * The artifact types of earlier steps that `run` requires; empty if it needs only the source; unknown if omitted.
   * Core shows them in pipelines, and the editor warns if no earlier step produces one, but accepts the pipeline.
   */
  readonly reads?: readonly string[];
  /**
   * A worker whose process is silent for longer is considered lost, and the step is retried; 1 to 3600 seconds. The
   * host sends the heartbeats. If omitted, a lost attempt ends only after the step's `timeout_seconds`.
   */
  readonly heartbeatSeconds?: number;
  /** Executes one attempt. Returning is success; throwing is a failure, retried unless `ctx.fail` says otherwise. */
  run(ctx: PluginContext<Config>): Promise<void>;
  /** Removes what `run` stores outside Core. If it throws, it is called again later. */
  cleanup?(ctx: CleanupContext<Config>): Promise<void>;
}

/** A plugin with any config type, as used by hosts. */
export type AnyPlugin = PluginDefinition<JSONSchema, never>;
