import { onService, type CommandContext } from '../command.js';
import { findResource } from '../service/find-resource.js';
import type { JsonFlags } from '../service/find-service.js';
import type { Artifact, Resource, Step } from '@knowledge-warehouse/client';
import type { Output } from '../terminal/output.js';
import { statusStyle } from '../terminal/paint.js';
import { factLines, tableLines, type Column } from '../terminal/table.js';
import { plain } from '../terminal/text.js';
import { ago, bytes, took } from '../terminal/units.js';
import { troubleOf, waitOf } from './describe.js';

/** `kw show`: a resource, its steps with their waits and errors, and its artifacts. */
export const show = onService(async (context, idOrName: string, flags: JsonFlags) => {
  const resource = await findResource(context.client, idOrName);
  context.output.result(resource, flags, () => toLines(resource, context));
});

function toLines(resource: Resource, context: CommandContext): string[] {
  const { paint } = context;
  return [
    paint('bold', plain(resource.name)),
    ...factLines(factsOf(resource, context), paint),
    ...section(resource.steps, (steps) => tableLines(stepColumns(context), steps, context)),
    ...section(resource.artifacts, (artifacts) => tableLines(artifactColumns(context), artifacts, context)),
  ];
}

const section = <T>(rows: readonly T[], lines: (rows: readonly T[]) => string[]): string[] =>
  rows.length === 0 ? [] : ['', ...lines(rows)];

function factsOf(resource: Resource, { client, paint }: CommandContext): [string, string | null][] {
  const { status, run, workflow_id: workflow } = resource;
  const trouble = troubleOf(resource);
  const time = took(resource.started_at, resource.finished_at);
  const { workflowsUrl } = client.service;
  return [
    ['id', resource.id],
    ['type', plain(resource.type)],
    ['source', sourceOf(resource)],
    ['status', `${paint(statusStyle(status), status)}${trouble === null ? '' : `  ${trouble}`}`],
    ['pipeline', resource.no_matching_pipeline ? 'none for this type' : null],
    ['metadata', metadataOf(resource)],
    ['enabled', resource.is_enabled ? 'yes' : 'no: search and language models do not see it'],
    ['created', `${resource.created_at} (${ago(resource.created_at)})`],
    ['run', run === 0 ? 'none yet' : `${run}${time === null ? '' : `, ${time}`}`],
    ['workflow', workflow === null ? null : workflowsUrl === null ? workflow : `${workflowsUrl}/${workflow}`],
  ];
}

function metadataOf({ metadata }: Resource): string | null {
  const members = Object.entries(metadata).map(
    ([key, value]) => `${key}=${Array.isArray(value) ? value.join(',') : String(value)}`,
  );
  return members.length === 0 ? null : plain(members.join('  '));
}

function sourceOf({ source_type, source_uri, size_bytes: size, media_type: media }: Resource): string {
  const where = source_type === 'UPLOAD' ? 'upload' : plain(source_uri ?? 'URL');
  return [where, ...(size === null ? [] : [bytes(size)]), ...(media === null ? [] : [plain(media)])].join(
    ', ',
  );
}

function stepColumns({ output, paint }: CommandContext): readonly Column<Step>[] {
  return [
    { title: 'STEP', value: ({ index }) => String(index), align: 'right' },
    { title: 'PLUGIN', value: (step) => step.plugin_id },
    {
      title: 'STATUS',
      value: ({ status }) => status,
      paint: (cell, { status }) => paint(statusStyle(status), cell),
    },
    {
      title: 'ATTEMPT',
      value: (step) => (step.attempt === 0 ? '' : `${step.attempt} of ${step.max_attempts}`),
    },
    { title: 'TOOK', value: (step) => took(step.started_at, step.finished_at) ?? '', align: 'right' },
    { title: 'NOTE', value: (step) => noteOf(step, output) },
  ];
}

/** Returns what a step waits for, why it failed, or its progress. */
function noteOf(step: Step, { clock }: Output): string {
  if (step.status === 'FAILED' && step.error !== null) return `${step.error.code}: ${step.error.message}`;
  const wait = waitOf(step, clock);
  if (wait !== null) return wait;
  if (step.status !== 'RUNNING' || step.progress === null) return '';
  const { fraction, message } = step.progress;
  return [
    ...(fraction === null ? [] : [`${Math.floor(fraction * 100)}%`]),
    ...(message === null ? [] : [message]),
  ].join(' ');
}

function artifactColumns({ output }: CommandContext): readonly Column<Artifact>[] {
  return [
    { title: 'ARTIFACT', value: ({ type }) => type },
    { title: 'CONTENT', value: (artifact) => artifact.content_type },
    { title: 'STEP', value: (artifact) => `${artifact.step_index} (${artifact.plugin_id})` },
    { title: 'RUN', value: ({ run }) => String(run), align: 'right' },
    { title: 'SIZE', value: (artifact) => bytes(artifact.size_bytes), align: 'right' },
    { title: 'UPDATED', value: (artifact) => output.time(artifact.updated_at) },
  ];
}
