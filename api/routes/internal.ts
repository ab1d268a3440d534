import { ServiceError } from '../../core/errors.js';
import { isUuid } from '../../core/ids.js';
import { maxReportBytes, reportSchema, buildStepMessage } from '@knowledge-warehouse/plugin/protocol';
import type { AttemptRef } from '../../core/runs/refs.js';
import { makeAttemptToken } from '../../core/secrets/token.js';
import { listInputs } from '../../storage/artifacts.js';
import { unreadableArtifact, unreadableSource } from '../../storage/object-store/unreadable.js';
import { markSeen, readRawConfig } from '../../storage/pipelines/plugins.js';
import { errorOf } from '../../runtime/temporal/pending-activity.js';
import type { PendingWork } from '../../runtime/temporal/pending-work.js';
import { inSpan } from '../../runtime/tracing/spans.js';
import { noteWhyReplaced } from '../../storage/transitions/attempt-writes.js';
import { claimAttempt, type OpenedAttempt } from '../../storage/transitions/claim-attempt.js';
import { readOpenAttempt } from '../../storage/transitions/report-attempt.js';
import { scanId, textId } from '../examples/ids.js';
import { reports, step } from '../examples/worker.js';
import type { CondensedReport } from '../json-thread/body-forms.js';
import type { ApiDeps } from '../deps.js';
import { found } from '../lookups/found.js';
import { hasScope, pluginsOf } from '../auth/principal.js';
import { receiveContent } from '../attempts/receive-content.js';
import { failAttempt, takeReport } from '../attempts/reports.js';
import { defineRoute, type Route } from '../route.js';
import { uuidParam } from '../schemas/common.js';
import {
  acceptedSchema,
  claimAnswerSchema,
  claimSchema,
  pluginConfigAnswerSchema,
  uploadQuery,
  uploadSchema,
} from '../schemas/internal.js';
import { pluginIdParam } from '../schemas/plugin-requests.js';
import { readAs } from '../schemas/typed.js';
import { replyWithBytes } from '../reply/stored-bytes.js';
import { admitWorker } from '../attempts/worker-token.js';

const reportBody = readAs<CondensedReport>(reportSchema);

const report = defineRoute({
  method: 'POST',
  path: '/internal/artifacts/:resource_id',
  operationId: 'reportStep',
  summary: 'Report the outcome or the progress of an attempt',
  description:
    'SUCCESS (with or without artifacts) and FAILURE settle the attempt. Send PROGRESS as often as you like; if the plugin has `heartbeat_seconds`, it also shows that the worker is alive. After the attempt is settled, an equal report is a duplicate and changes nothing; any other report gets ATTEMPT_CLOSED, with the reason SETTLED, TIMED_OUT, SUPERSEDED or CANCELLED in `details`.',
  tag: 'Workers',
  scope: 'token',
  params: { resource_id: uuidParam('resource', scanId) },
  admit: (input) => admitWorker({ ...input, params: { id: input.params.resource_id } }),
  bodyLimit: maxReportBytes,
  bodyForm: 'report',
  body: reportBody,
  bodyExamples: reports,
  responses: { 200: { description: 'The report was accepted.', schema: acceptedSchema } },
  errors: ['ATTEMPT_CLOSED', 'PAYLOAD_TOO_LARGE', 'STORAGE_UNAVAILABLE'],
  async handler({ deps, admitted, body }) {
    return { status: 200, body: await takeReport(deps, admitted, body) };
  },
});

const upload = defineRoute({
  method: 'PUT',
  path: '/internal/artifacts/:resource_id/uploads',
  operationId: 'uploadContent',
  summary: 'Upload the content of an artifact before its report',
  description:
    'For content larger than 1 MiB, the limit in a report. The body is the content: text in UTF-8, or the JSON text of an object or a vector, checked as it arrives. Uploads that are not in a report of this attempt are removed once the attempt is closed.',
  tag: 'Workers',
  scope: 'token',
  params: { resource_id: uuidParam('resource', scanId) },
  admit: (input) => admitWorker({ ...input, params: { id: input.params.resource_id } }),
  query: uploadQuery,
  rawBody: {
    'text/plain': {
      schema: { type: 'string' },
      examples: { 'A text': 'Minutes of the meeting of 12 March 1987\n\nPresent: …' },
    },
    'application/json': {
      schema: { type: ['object', 'array'] },
      examples: { 'An object': { count: 20, blank: [3, 17] }, 'A vector': [0.0182, -0.0417, 0.0933] },
    },
  },
  responses: { 201: { description: 'The content is stored.', schema: uploadSchema } },
  errors: [
    'ATTEMPT_CLOSED',
    'MALFORMED_BODY',
    'PAYLOAD_TOO_LARGE',
    'STORAGE_UNAVAILABLE',
    'UNSUPPORTED_MEDIA_TYPE',
  ],
  async handler({ koa, deps, admitted: { ref }, query }) {
    return { status: 201, body: await receiveContent(deps, koa.req, ref, query) };
  },
});

const config = defineRoute({
  method: 'GET',
  path: '/internal/plugins/:id/config',
  operationId: 'getPluginConfig',
  summary: "Read a plugin's whole config as its worker",
  description: 'Includes `writeOnly` values. Steps contain the config; a clean-up reads it here.',
  tag: 'Workers',
  scope: 'admin',
  pluginKeys: 'own',
  params: { id: { ...pluginIdParam, examples: ['chunk-text'] } },
  responses: { 200: { description: 'The config.', schema: pluginConfigAnswerSchema } },
  async handler({ deps, params: { id } }) {
    const current = await readRawConfig(deps.db, deps.config.secrets, id);
    return { status: 200, body: { config: found(current, 'plugin', id) } };
  },
});

const source = defineRoute({
  method: 'GET',
  path: '/internal/resources/:id/source',
  operationId: 'getSource',
  summary: 'Read the source of the resource that an attempt works on',
  description:
    'The bytes as they were uploaded or fetched. A `Range` of bytes is supported. Missing bytes, or bytes that do not match their hash, fail the step without a retry.',
  tag: 'Workers',
  scope: 'token',
  params: { id: uuidParam('resource') },
  admit: admitWorker,
  responses: {
    200: {
      description: 'The bytes, with the media type of the source.',
      mediaType: '*/*',
      examples: { 'The bytes of handbook.pdf': '%PDF-1.4\n…' },
    },
    206: {
      description: 'The requested range of the bytes.',
      mediaType: '*/*',
      examples: { 'Range: bytes=0-7': '%PDF-1.4' },
    },
  },
  errors: ['ATTEMPT_CLOSED', 'RANGE_NOT_SATISFIABLE', 'SOURCE_UNREADABLE', 'STORAGE_UNAVAILABLE'],
  async handler({ koa, deps, admitted }) {
    const { ref, resource } = admitted;
    await readOpenAttempt(deps.db, ref);
    const { object_key, size_bytes, sha256, media_type: mediaType } = resource;
    if (object_key === null || size_bytes === null)
      throw new ServiceError('NOT_FOUND', 'The source is not stored.');
    return await replyWithBytes(koa, deps.objectStore, {
      ...{ object_key, size_bytes, sha256 },
      mediaType: mediaType ?? 'application/octet-stream',
      unreadable: unreadableSource(resource),
      onUnreadable: failAttempt(deps, admitted),
    });
  },
});

const input = defineRoute({
  method: 'GET',
  path: '/internal/resources/:id/inputs/:artifactId',
  operationId: 'getInput',
  summary: 'Read an artifact of an earlier step',
  description:
    'One of the `inputs` of the step: the content itself, without an envelope. A `Range` of bytes is supported. Missing bytes, or bytes that do not match their hash, fail the step without a retry.',
  tag: 'Workers',
  scope: 'token',
  params: { id: uuidParam('resource'), artifactId: uuidParam('artifact', textId) },
  admit: admitWorker,
  responses: {
    200: {
      description: 'Text as text/plain, JSON and vectors as application/json.',
      mediaType: '*/*',
      examples: { 'A text': '1. Intake\n\nSection 1.1 applies to file series 101. …' },
    },
    206: {
      description: 'The requested range of the content.',
      mediaType: '*/*',
      examples: { 'Range: bytes=0-8': '1. Intake' },
    },
  },
  errors: ['ARTIFACT_UNREADABLE', 'ATTEMPT_CLOSED', 'RANGE_NOT_SATISFIABLE', 'STORAGE_UNAVAILABLE'],
  async handler({ koa, deps, params, admitted }) {
    const { ref } = admitted;
    await readOpenAttempt(deps.db, ref);
    const inputs = await listInputs(deps.db, ref.resourceId, ref.run, ref.stepIndex);
    const id = params.artifactId.toLowerCase();
    const artifact = inputs.find((candidate) => candidate.id === id);
    if (artifact === undefined) throw new ServiceError('NOT_FOUND', 'This attempt has no such input.');
    return await replyWithBytes(koa, deps.objectStore, {
      ...artifact,
      mediaType: artifact.content_type === 'text' ? 'text/plain; charset=utf-8' : 'application/json',
      unreadable: unreadableArtifact(artifact),
      onUnreadable: failAttempt(deps, admitted),
    });
  },
});

const claim = defineRoute({
  method: 'POST',
  path: '/internal/attempts',
  operationId: 'claimAttempt',
  summary: 'Claim an attempt as a Temporal activity worker',
  description:
    'The activity calls this when it begins. Opens the attempt and closes earlier ones; claiming the same open attempt again returns the step again. VALIDATION_FAILED: the step belongs to an HTTP plugin, which receives its steps at its endpoint, or the step cannot have reached this attempt.',
  tag: 'Workers',
  scope: 'admin',
  pluginKeys: 'any',
  audited: false,
  body: claimSchema,
  responses: {
    200: {
      description: 'The step, or a message that there is nothing to do.',
      schema: claimAnswerSchema,
      examples: { 'The step': step, 'Nothing to do': { settled: true } },
    },
  },
  errors: ['NOT_FOUND', 'TEMPORAL_UNAVAILABLE'],
  async handler({ deps, principal, body }) {
    if (!isUuid(body.resource_id))
      throw new ServiceError('NOT_FOUND', `There is no resource ${body.resource_id}.`);
    const ref = {
      resourceId: body.resource_id.toLowerCase(),
      run: body.run,
      stepIndex: body.step_index,
      attempt: body.attempt,
    };
    const { resourceId, stepIndex, attempt, run } = ref;
    deps.logFields.add({ resource_id: resourceId, run, step_index: stepIndex, attempt });
    const plugins = hasScope(principal, 'admin') ? null : pluginsOf(principal);
    const opened = await inSpan('claim attempt', {}, () => claimFor(deps, ref, plugins));
    if (opened === null) return { status: 200, body: { settled: true } };
    const { publicUrl: base, secrets } = deps.config;
    await markSeen(deps.db, opened.step.plugin_id);
    const pluginConfig = (await readRawConfig(deps.db, secrets, opened.step.plugin_id)) ?? {};
    const message = buildStepMessage({
      ...opened,
      base,
      token: makeAttemptToken(secrets, opened),
      config: {},
    });
    return { status: 200, body: { ...message, plugin: { ...message.plugin, config: pluginConfig } } };
  },
});

async function claimFor(
  deps: ApiDeps,
  ref: AttemptRef,
  plugins: readonly string[] | null,
): Promise<OpenedAttempt | null> {
  const claim = async (work: PendingWork | null): Promise<OpenedAttempt | null> => {
    const newest = work && Math.max(0, ...work.activities.map(({ attempt }) => attempt));
    const opened = await claimAttempt(deps.db, ref, { plugins, worker: { newestOfTemporal: newest } });
    if (opened === null) return null;
    await explainReplaced(deps, ref, opened, work).catch((err: unknown) =>
      deps.log.warn({ err }, 'the reason for replacing an attempt was not recorded'),
    );
    return opened;
  };
  const { resourceId, run } = ref;
  const ask = (): Promise<PendingWork | null> => deps.workflows.pendingWork(resourceId, run, patienceMs);
  if (ref.attempt > 1) return await claim(await ask());
  try {
    // The first attempt needs no check in Temporal, unless it comes after a later one.
    return await claim(null);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'TEMPORAL_UNAVAILABLE') throw error;
    return await claim(await ask());
  }
}

/** Milliseconds that Temporal has to answer. */
const patienceMs = 300;

/** Records why Temporal gave up the open attempt that a claim has replaced. */
async function explainReplaced(
  { db }: ApiDeps,
  ref: AttemptRef,
  { step, attempt, replaced }: OpenedAttempt,
  work: PendingWork | null,
): Promise<void> {
  if (replaced === null) return;
  const activity = work?.activities.find(
    (each) => each.activityType === step.activity_type && step.attempt_base + each.attempt === attempt.number,
  );
  const error = activity === undefined ? null : errorOf(activity);
  if (error !== null) await noteWhyReplaced(db, { ...ref, attempt: replaced }, error);
}

export const internalRoutes: readonly Route[] = [report, upload, source, input, claim, config];
