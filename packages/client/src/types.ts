import type { components, paths } from './schema.js';

type Schemas = components['schemas'];
type JsonOf<
  Path extends keyof paths,
  Method extends keyof paths[Path],
  Status extends number,
> = paths[Path][Method] extends {
  responses: Record<Status, { content: { 'application/json': infer Json } }>;
}
  ? Json
  : never;

export type Resource = Schemas['Resource'];
/** The metadata that people and programs add to a resource. */
export type Metadata = Resource['metadata'];
/** The filters of a list of resources. */
export type ResourceQuery = NonNullable<paths['/resources']['get']['parameters']['query']>;
/** A resource in a list. It contains its steps only if the list was requested with them. */
export type ListedResource = Schemas['ListedResource'];
export type Step = Schemas['Step'];
export type Run = Schemas['Run'];
/** An attempt at a step of a run. */
export type Attempt = Schemas['Attempt'];
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
export type Session = JsonOf<'/session', 'get', 200>;
export type Operation = JsonOf<'/operations/{id}', 'get', 200>;
export type NewOperation = paths['/operations']['post']['requestBody']['content']['application/json'];
export type OperationPreview = Schemas['OperationPreview'];
export type FailureGroup = JsonOf<'/failures', 'get', 200>['items'][number];
export type ApiKey = JsonOf<'/keys', 'get', 200>['items'][number];
export type NewApiKey = paths['/keys']['post']['requestBody']['content']['application/json'];
export type CreatedApiKey = JsonOf<'/keys', 'post', 201>;
export type AuditEntry = JsonOf<'/audit', 'get', 200>['items'][number];
export type Statistics = JsonOf<'/statistics', 'get', 200>;
export type System = JsonOf<'/system', 'get', 200>;
export type SearchHit = Schemas['SearchHit'];
export type SearchAnswer = Schemas['SearchAnswer'];
export type SearchStatus = Schemas['SearchStatus'];
export type SearchMode = SearchAnswer['mode'];
export type Bucket = Statistics['buckets'][number];
export type PluginStatistics = Statistics['plugins'][number];

export type ResourceStatus = Resource['status'];
/** The statuses of resources in the order in which they usually occur. */
export const resourceStatuses: readonly ResourceStatus[] = [
  'PENDING',
  'PROCESSING',
  'COMPLETED',
  'FAILED',
  'CANCELLED',
];
export type StepStatus = Step['status'];

/** Whether a resource changes only after a new request. */
export const isSettled = ({ status }: { readonly status: ResourceStatus }): boolean =>
  status !== 'PROCESSING';
