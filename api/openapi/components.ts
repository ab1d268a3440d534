import {
  contentTypes,
  pluginKinds,
  resourceStatuses,
  runStatuses,
  sourceTypes,
  stepStatuses,
  waitingKinds,
} from '../../core/states.js';
import { attemptSchema } from '../schemas/attempt.js';
import { auditEntrySchema } from '../schemas/audit.js';
import { errorSchema } from '../schemas/common.js';
import {
  artifactDeletedEventSchema,
  artifactEventSchema,
  pipelineEventSchema,
  pluginEventSchema,
  resourceDeletedEventSchema,
  resourceEventSchema,
  resourceStreamEventSchema,
  stepEventSchema,
  streamEventSchema,
} from '../schemas/event.js';
import { acceptedSchema, stepMessageSchema } from '../schemas/internal.js';
import { createdKeySchema, keySchema, newKeySchema } from '../schemas/key.js';
import { newPipelineSchema, newPipelineStepSchema, pipelineSchema } from '../schemas/pipeline.js';
import { newPluginSchema, pluginRegistrationSchema } from '../schemas/plugin-requests.js';
import {
  listedPluginSchema,
  pluginSchema,
  pluginWithPollersSchema,
  pluginWithWarningsSchema,
  registeredPluginSchema,
} from '../schemas/plugin.js';
import { artifactContentSchema, artifactSchema } from '../schemas/artifact.js';
import { listedResourceSchema, resourceSchema } from '../schemas/resource.js';
import { newResourceSchema, uploadFormSchema } from '../schemas/resource-requests.js';
import { runSchema, stepSchema } from '../schemas/run.js';
import { searchAnswerSchema, searchHitSchema, searchStatusSchema } from '../schemas/search.js';
import { newSessionSchema, sessionSchema } from '../schemas/session.js';
import { statisticsSchema } from '../schemas/statistics.js';
import { systemSchema } from '../schemas/system.js';
import { reportSchema, reportedArtifactSchema } from '@knowledge-warehouse/plugin/protocol';

/** Schemas of responses that are named components of the document. */
export const responseComponents: Readonly<Record<string, object>> = {
  Resource: resourceSchema,
  ListedResource: listedResourceSchema,
  Step: stepSchema,
  Artifact: artifactSchema,
  ArtifactContent: artifactContentSchema,
  Run: runSchema,
  Attempt: attemptSchema,
  Pipeline: pipelineSchema,
  ListedPlugin: listedPluginSchema,
  Plugin: pluginSchema,
  PluginWithPollers: pluginWithPollersSchema,
  PluginWithWarnings: pluginWithWarningsSchema,
  RegisteredPlugin: registeredPluginSchema,
  StepMessage: stepMessageSchema,
  Accepted: acceptedSchema,
  Session: sessionSchema,
  Key: keySchema,
  CreatedKey: createdKeySchema,
  AuditEntry: auditEntrySchema,
  Statistics: statisticsSchema,
  System: systemSchema,
  SearchHit: searchHitSchema,
  SearchAnswer: searchAnswerSchema,
  SearchStatus: searchStatusSchema,
  StreamEvent: streamEventSchema,
  ResourceStreamEvent: resourceStreamEventSchema,
  ResourceEvent: resourceEventSchema,
  ResourceDeletedEvent: resourceDeletedEventSchema,
  StepEvent: stepEventSchema,
  ArtifactEvent: artifactEventSchema,
  ArtifactDeletedEvent: artifactDeletedEventSchema,
  PipelineEvent: pipelineEventSchema,
  PluginEvent: pluginEventSchema,
  Error: errorSchema,
};

/** Schemas of requests that are named components of the document. */
export const requestComponents: Readonly<Record<string, object>> = {
  NewResource: newResourceSchema,
  UploadForm: uploadFormSchema,
  NewPipeline: newPipelineSchema,
  NewPipelineStep: newPipelineStepSchema,
  NewPlugin: newPluginSchema,
  PluginRegistration: pluginRegistrationSchema,
  NewSession: newSessionSchema,
  NewKey: newKeySchema,
  Report: reportSchema,
  ReportedArtifact: reportedArtifactSchema,
};

/** Enums that are named components of the document. */
export const enumComponents: Readonly<Record<string, readonly string[]>> = {
  ResourceStatus: resourceStatuses,
  RunStatus: runStatuses,
  StepStatus: stepStatuses,
  WaitingKind: waitingKinds,
  SourceType: sourceTypes,
  ContentType: contentTypes,
  PluginKind: pluginKinds,
  ErrorCode: errorSchema.properties.error.properties.code.enum,
};
