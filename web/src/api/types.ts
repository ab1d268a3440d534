import type { components } from './schema.js';

type Schemas = components['schemas'];

export type Resource = Schemas['Resource'];
/** A resource in a list that was asked for with its steps. */
export type ListedResource = Schemas['ListedResource'];
export type Step = Schemas['Step'];
export type Run = Schemas['Run'];
export type Artifact = Schemas['Artifact'];
export type ArtifactContent = Schemas['ArtifactContent'];
export type Pipeline = Schemas['Pipeline'];
export type PipelineStep = Pipeline['steps'][number];
export type NewPipeline = Schemas['NewPipeline'];
export type ListedPlugin = Schemas['ListedPlugin'];
export type Plugin = Schemas['PluginWithPollers'];
export type ConfiguredPlugin = Schemas['PluginWithWarnings'];
export type NewPlugin = Schemas['NewPlugin'];
export type RegisteredPlugin = Schemas['RegisteredPlugin'];
export type ConfigWarning = ConfiguredPlugin['config_warnings'][number];

export type ResourceStatus = Resource['status'];
export type StepStatus = Step['status'];
export type JsonObject = Record<string, unknown>;

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next_cursor: string | null;
}

/** What the API answers beside its ETag, which a change is then made conditional on. */
export interface Tagged<T> {
  readonly value: T;
  readonly etag: string | null;
  /** It is gone since. */
  readonly isDeleted?: boolean;
}

export interface Session {
  readonly api_key: { readonly id: string; readonly name: string; readonly scopes: readonly string[] };
  readonly expires_at: string | null;
  readonly public_url: string;
  readonly temporal_ui: string | null;
}

export interface Bucket {
  readonly at: string;
  readonly registered: number;
  readonly completed: number;
  readonly failed: number;
  readonly cancelled: number;
}

export interface PluginStatistics {
  readonly plugin_id: string;
  readonly completed: number;
  readonly failed: number;
  readonly attempts: number;
  readonly median_seconds: number | null;
  readonly p95_seconds: number | null;
}

export interface Statistics {
  readonly at: string;
  readonly resources: Readonly<Record<ResourceStatus, number>>;
  readonly bucket_seconds: number;
  readonly buckets: readonly Bucket[];
  readonly plugins: readonly PluginStatistics[];
}
