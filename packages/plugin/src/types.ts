/// <reference types="node" preserve="true" />
import type { Readable } from 'node:stream';
import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import type { ResourceMetadata } from './protocol/step.js';

export type { ResourceMetadata } from './protocol/step.js';

/** The resource that a step works on. */
export interface PluginResource {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  /** Whether its bytes were uploaded or fetched; null from a Core that does not say so yet. */
  readonly source_type: 'UPLOAD' | 'URL' | null;
  /** The media type found when the bytes were stored, for example `application/pdf`. */
  readonly media_type: string | null;
  readonly size_bytes: number | null;
  /** Lower-case hex. */
  readonly sha256: string | null;
  /** The resource's metadata when the attempt began. */
  readonly metadata: ResourceMetadata;
}

/** The bytes that were uploaded or fetched. */
export interface PluginSource {
  readonly mediaType: string | null;
  readonly sizeBytes: number | null;
  /** Opens the bytes; each call starts at the beginning. */
  stream(): Promise<Readable>;
  /** All bytes in memory: for sources that are known to be small. */
  buffer(): Promise<Buffer>;
}

/** An artifact of an earlier step of the same run. */
export interface PluginInput {
  readonly artifact_id: string;
  readonly type: string;
  readonly content_type: ContentType;
  /** What its plugin said of it beside its content; empty from a Core that does not send it. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

/**
 * The artifacts of earlier steps. Of one type, the one of the latest step is meant. The readers throw a
 * non-retryable MISSING_INPUT failure when no earlier step made that type, and INVALID_INPUT when it is of another kind.
 */
export interface PluginInputs {
  readonly list: readonly PluginInput[];
  has(type: string): boolean;
  text(type: string): Promise<string>;
  json(type: string): Promise<Record<string, unknown>>;
  vector(type: string): Promise<number[] | number[][]>;
  stream(type: string): Promise<Readable>;
}

export type ContentType = 'text' | 'json' | 'vector';

/**
 * Content that is handed over piece by piece, whatever its size: a text, or the text of a JSON value, in strings or
 * bytes of UTF-8. Every Readable is one. It is read once.
 */
export type ContentStream = AsyncIterable<string | Uint8Array>;

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
  | { readonly content_type: 'json'; readonly content: Record<string, unknown> | ContentStream }
  | {
      readonly content_type: 'vector';
      readonly content: readonly number[] | readonly (readonly number[])[] | ContentStream;
    }
);

export interface FailOptions {
  /** Whether another attempt may succeed; true when left out. */
  readonly retryable?: boolean;
  readonly retryAfterSeconds?: number;
  /** At most 64 KiB as JSON; longer details are replaced by a note that they were left out. */
  readonly details?: Record<string, unknown>;
}

export interface PluginLog {
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
  error(fields: Record<string, unknown>, message: string): void;
}

/**
 * Like the global `fetch`, for an address that an operator put into the config: the operator decides which
 * addresses the plugin may reach. Within Core, redirects are not followed, and a forbidden address (see
 * `KW_PLUGIN_HOSTS`) fails with an error whose `code` is URL_NOT_ALLOWED.
 */
export type PluginFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** The argument of `run`: one attempt at one step. */
export interface PluginContext<Config> {
  readonly resource: PluginResource;
  readonly run: number;
  readonly stepIndex: number;
  readonly attempt: { readonly number: number; readonly max: number; readonly deadline: Date };
  readonly config: Config;
  readonly source: PluginSource;
  readonly inputs: PluginInputs;
  /** Aborts on time-out, cancellation and shut-down of the worker. */
  readonly signal: AbortSignal;
  readonly log: PluginLog;
  readonly fetch: PluginFetch;
  /**
   * Hands over an artifact; all of a step's artifacts become visible together when `run` returns. Resolves once the
   * content is safe with Core. Throws a non-retryable INVALID_RESULT failure for an artifact that breaks the rules.
   */
  emit(artifact: EmittedArtifact): Promise<void>;
  /**
   * Shows on the step how far it is: a fraction from 0 to 1 and a short message. Calls may come as often as they like:
   * about one a second is sent, the last one always. Never throws and never waits.
   */
  progress(fraction: number, message?: string): void;
  /** Ends the attempt as a failure with a code of the plugin's own. */
  fail(code: string, message: string, options?: FailOptions): never;
}

/**
 * The argument of `cleanup`, called after a resource was deleted or artifacts were removed. It may be called
 * more than once, and for data that no longer exists: that is a success.
 */
export interface CleanupContext<Config> {
  readonly reason: 'RESOURCE_DELETED' | 'ARTIFACTS_REMOVED';
  readonly resource: { readonly id: string };
  /**
   * Remove what this run and earlier ones wrote. After ARTIFACTS_REMOVED, a later run may have written new
   * data.
   */
  readonly run: number;
  readonly artifacts: readonly { readonly artifact_id: string; readonly type: string }[];
  readonly config: Config;
  readonly signal: AbortSignal;
  readonly log: PluginLog;
  readonly fetch: PluginFetch;
}

/** A plugin as its author writes it: the same definition runs inside Core, as a Temporal activity or as an HTTP worker. */
export interface PluginDefinition<Schema extends JSONSchema = JSONSchema, Config = FromSchema<Schema>> {
  /** A slug: `^[a-z0-9][a-z0-9-]{0,62}$`. */
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly description?: string;
  /**
   * JSON Schema of the config, from which the type of `ctx.config` follows. The host fills in its defaults and fails an
   * attempt with INVALID_CONFIG, not retried, when the config does not match; saving such a config is only warned of.
   */
  readonly configSchema: Schema;
  /** The config a fresh registration starts with. */
  readonly defaultConfig?: Record<string, unknown>;
  /** The artifact types that `run` may emit. */
  readonly produces: readonly string[];
  /**
   * The artifact types of earlier steps that `run` cannot do without; empty: the source is enough. Left out, nothing is
   * said of it. Core shows them with a pipeline, whose editor warns when no earlier step produces one; it refuses nothing.
   */
  readonly reads?: readonly string[];
  /**
   * A worker whose process is silent for longer is taken for lost and the step tried again; 1 to 3600 seconds. The host
   * says by itself that it lives; left out, only `timeout_seconds` of the step ends a lost attempt.
   */
  readonly heartbeatSeconds?: number;
  /** Works on one attempt. Returning is success, throwing is a failure that is retried unless `ctx.fail` says otherwise. */
  run(ctx: PluginContext<Config>): Promise<void>;
  /** Removes what `run` keeps outside Core. Throwing has it called again later. */
  cleanup?(ctx: CleanupContext<Config>): Promise<void>;
}

/** A plugin of any config, as hosts keep it. */
export type AnyPlugin = PluginDefinition<JSONSchema, never>;
