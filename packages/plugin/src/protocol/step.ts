/** The metadata that people and programs add to a resource, by key. */
export type ResourceMetadata = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

export const sourceTypes = ['UPLOAD', 'URL'] as const;
export type SourceType = (typeof sourceTypes)[number];

export const contentTypes = ['text', 'json', 'vector'] as const;
export type ContentType = (typeof contentTypes)[number];

/** The failure type of an activity whose worker shuts down: the step is rescheduled, and no attempt is used up. */
export const interruptedType = 'KW_INTERRUPTED';

/** The header of an activity with the id of the request that caused it. */
export const requestIdHeader = 'kw-request-id';

/**
 * The signed message that delivers a step to an HTTP worker. An activity worker receives the same data when it claims
 * the attempt.
 */
export interface StepMessage {
  readonly protocol: 'kw.step/1';
  readonly attempt: {
    readonly number: number;
    readonly max: number;
    /** According to the database's clock. */
    readonly deadline: string;
    /** Milliseconds from the creation of the message to the deadline. Use it if your clock may differ from Core's. */
    readonly remaining_ms: number;
  };
  readonly run: number;
  readonly step_index: number;
  readonly resource: {
    readonly id: string;
    readonly name: string;
    readonly type: string;
    readonly source_type: SourceType;
    readonly media_type: string | null;
    readonly size_bytes: number | null;
    readonly sha256: string | null;
    readonly metadata: ResourceMetadata;
    readonly source_url: string;
  };
  readonly plugin: { readonly id: string; readonly config: Record<string, unknown> };
  readonly inputs: readonly {
    readonly artifact_id: string;
    readonly type: string;
    readonly content_type: ContentType;
    /** What its plugin emitted besides the content; omitted by older versions of Core. */
    readonly metadata?: Record<string, unknown> | { toJSON(): unknown };
    readonly url: string;
  }[];
  readonly callback: { readonly url: string; readonly token: string };
}

/** The only argument of an activity plugin's activity. */
export interface ActivityMessage {
  readonly protocol: 'kw.activity/1';
  readonly core_url: string;
  readonly resource_id: string;
  readonly run: number;
  readonly step_index: number;
  readonly plugin_id: string;
  /** The attempt's number in the step is the sum of this and Temporal's attempt number. */
  readonly attempt_base: number;
}

/** The signed message that tells an HTTP worker, once, to stop working on an attempt. Any 2xx answers it. */
export interface CancelMessage {
  readonly protocol: 'kw.cancel/1';
  readonly resource: { readonly id: string };
  readonly run: number;
  readonly step_index: number;
  /** The number of the attempt. */
  readonly attempt: number;
}

/** Why a plugin must remove the data that it keeps elsewhere. */
export type CleanUpReason = 'RESOURCE_DELETED' | 'ARTIFACTS_REMOVED';

interface CleanUp {
  readonly protocol: 'kw.cleanup/1';
  readonly reason: CleanUpReason;
  readonly resource: { readonly id: string };
  /** Remove what this run and earlier ones wrote. A later run may have written new data. */
  readonly run: number;
  /** The plugin's removed artifacts. */
  readonly artifacts: readonly { readonly artifact_id: string; readonly type: string }[];
}

/**
 * The signed message that asks an HTTP worker to remove the data that it keeps elsewhere; repeated until a 2xx (or 404,
 * 405, 410, 501).
 */
export interface CleanUpMessage extends CleanUp {
  readonly plugin: { readonly id: string; readonly config: Record<string, unknown> };
}

/** The only argument of an activity plugin's clean-up activity, which reads its config from Core. */
export interface CleanUpActivityMessage extends CleanUp {
  readonly core_url: string;
  readonly plugin_id: string;
}

/** The URLs at which workers reach Core, all below `{base}/api/v1/internal/`. `base` has no trailing slash. */
export const internalUrls = {
  callback: (base: string, resourceId: string): string => `${base}/api/v1/internal/artifacts/${resourceId}`,
  /** Takes the query parameters `type` and `content_type`. */
  uploads: (callbackUrl: string): string => `${callbackUrl}/uploads`,
  claim: (base: string): string => `${base}/api/v1/internal/attempts`,
  /** A plugin's whole config, readable with its own key. */
  config: (base: string, pluginId: string): string => `${base}/api/v1/internal/plugins/${pluginId}/config`,
  source: (base: string, resourceId: string): string =>
    `${base}/api/v1/internal/resources/${resourceId}/source`,
  input: (base: string, resourceId: string, artifactId: string): string =>
    `${base}/api/v1/internal/resources/${resourceId}/inputs/${artifactId}`,
};
