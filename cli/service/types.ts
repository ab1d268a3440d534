/** What `kw` reads of the API's answers; everything else in them is passed on as it came. */

export type ResourceStatus = 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED' | 'CANCELLED';
export type StepStatus = 'PENDING' | 'RUNNING' | 'RETRYING' | 'COMPLETED' | 'FAILED' | 'CANCELLED';

/** The statuses of resources, in the order of a life. */
export const resourceStatuses: readonly ResourceStatus[] = [
  'PENDING',
  'PROCESSING',
  'COMPLETED',
  'FAILED',
  'CANCELLED',
];

export interface Step {
  readonly index: number;
  readonly plugin_id: string;
  readonly status: StepStatus;
  readonly attempt: number;
  readonly max_attempts: number;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  readonly progress: { readonly fraction: number | null; readonly message: string | null } | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly waiting_for: {
    readonly kind: 'worker' | 'callback' | 'retry' | 'fetch' | 'room' | 'paused' | 'workflow';
    readonly until: string | null;
    readonly message: string;
  } | null;
}

export interface Artifact {
  readonly id: string;
  readonly type: string;
  readonly content_type: 'text' | 'json' | 'vector';
  readonly step_index: number;
  readonly plugin_id: string;
  readonly run: number;
  readonly size_bytes: number;
  readonly updated_at: string;
}

export interface ListedResource {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly source_type: 'UPLOAD' | 'URL';
  readonly source_uri: string | null;
  readonly status: ResourceStatus;
  readonly no_matching_pipeline: boolean;
  readonly is_enabled: boolean;
  readonly run: number;
  readonly size_bytes: number | null;
  readonly media_type: string | null;
  readonly error: { readonly code: string; readonly message: string; readonly step: number | null } | null;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  readonly workflow_id: string | null;
}

export interface Resource extends ListedResource {
  readonly steps: readonly Step[];
  readonly artifacts: readonly Artifact[];
}

export interface PipelineStep {
  readonly plugin_id: string;
  readonly max_attempts: number;
  readonly backoff_seconds: number;
  readonly timeout_seconds: number;
}

export interface Pipeline {
  readonly id: string;
  readonly name: string;
  readonly trigger_type: string;
  readonly steps: readonly PipelineStep[];
  readonly updated_at: string;
}

export interface ListedPlugin {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly version: string;
  readonly kind: 'activity' | 'http';
  readonly task_queue: string | null;
  readonly activity_type: string | null;
  readonly endpoint: string | null;
  readonly produces: readonly string[];
  readonly is_active: boolean;
  readonly built_in: boolean;
  readonly last_seen_at: string | null;
}

export interface ConfigWarning {
  readonly path: string;
  readonly message: string;
}

export interface Plugin extends ListedPlugin {
  readonly config: Readonly<Record<string, unknown>>;
  readonly pollers?: number | null;
  readonly pending_clean_ups?: { readonly count: number; readonly last_error: string | null };
  readonly config_warnings?: readonly ConfigWarning[];
  readonly signing_secret?: string;
}

/** Whether nothing more happens to a resource by itself. */
export const isSettled = ({ status }: Pick<ListedResource, 'status'>): boolean => status !== 'PROCESSING';
