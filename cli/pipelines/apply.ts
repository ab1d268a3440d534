import { randomUUID } from 'node:crypto';

import { diffLines } from 'diff';

import { withService, type CommandContext } from '../command.js';
import { CommandError } from '../exit.js';
import { explainShortly, hintFor } from '../explain.js';
import { ApiError, listAll, type Pipeline } from '@knowledge-warehouse/client';
import { ifMatch } from '../service/client.js';
import type { JsonFlags } from '../service/find-service.js';
import type { Paint, Style } from '../terminal/paint.js';
import { plain } from '../terminal/text.js';
import { described, isSame, toDocument } from './document.js';
import { readPipelines, type PipelineInFile } from './read-pipelines.js';

interface ApplyFlags extends JsonFlags {
  readonly dryRun?: boolean;
}

type Outcome = 'created' | 'updated' | 'unchanged';

/** `kw pipelines apply`: creates or updates the pipelines in files, identified by trigger type. */
export async function apply(paths: readonly string[], flags: ApplyFlags): Promise<void> {
  const wanted = await readPipelines(paths);
  await withService(flags, async (context) => {
    const all = await listAll((query) => context.client.GET('/pipelines', { params: { query } }));
    const existing = new Map(all.map((pipeline) => [pipeline.trigger_type, pipeline]));
    await checkPlugins(context, wanted);
    if (flags.dryRun === true) showDifferences(context, wanted, existing, flags);
    else await applyAll(context, wanted, existing, flags);
  });
}

/** Checks before anything is applied that the plugins named in the files exist. */
async function checkPlugins({ client }: CommandContext, wanted: readonly PipelineInFile[]): Promise<void> {
  const known = new Set(
    (await listAll((query) => client.GET('/plugins', { params: { query } }))).map(({ id }) => id),
  );
  const problems = wanted.flatMap(({ steps, at }) =>
    steps.flatMap(({ plugin_id }, index) =>
      known.has(plugin_id)
        ? []
        : [`${at(`/steps/${index}/plugin_id`)}: the plugin ${plain(plugin_id)} is not registered`],
    ),
  );
  if (problems.length > 0) throw new CommandError([...problems, 'Nothing was applied.'].join('\n'));
}

async function applyAll(
  context: CommandContext,
  wanted: readonly PipelineInFile[],
  existing: ReadonlyMap<string, Pipeline>,
  { json = false }: ApplyFlags,
): Promise<void> {
  const { output, paint, lines } = context;
  const applied: Pipeline[] = [];
  let failures = 0;
  for (const pipeline of wanted) {
    try {
      const { outcome, result } = await applyOne(context, pipeline, existing.get(pipeline.trigger_type));
      applied.push(result);
      if (!json) output.line(`${plain(pipeline.trigger_type)}: ${paint(styleOf(outcome), outcome)}`);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status === 401 || error.status === 403) throw error;
      failures += 1;
      for (const line of explainAt(pipeline, error)) lines.print(line);
    }
  }
  if (json) output.json(applied);
  if (failures > 0) throw new CommandError('');
}

async function applyOne(
  { client }: CommandContext,
  wanted: PipelineInFile,
  existing: Pipeline | undefined,
): Promise<{ readonly outcome: Outcome; readonly result: Pipeline }> {
  const { name, trigger_type, steps } = wanted;
  if (existing === undefined) {
    const { value } = await client.POST('/pipelines', {
      params: { header: { 'Idempotency-Key': randomUUID() } },
      body: { name, trigger_type, steps: [...steps] },
    });
    return { outcome: 'created', result: value };
  }
  // Read separately: its tag detects changes between this read and our write.
  const path = { id: existing.id };
  const { value: current, etag } = await client.GET('/pipelines/{id}', { params: { path } });
  if (isSame(current, wanted)) return { outcome: 'unchanged', result: current };
  const { value } = await client.PUT('/pipelines/{id}', {
    params: { path, header: ifMatch(etag) },
    body: { name, steps: [...steps] },
  });
  return { outcome: 'updated', result: value };
}

function showDifferences(
  { output, paint }: CommandContext,
  wanted: readonly PipelineInFile[],
  existing: ReadonlyMap<string, Pipeline>,
  { json = false }: ApplyFlags,
): void {
  const changes = wanted.map((pipeline) => {
    const current = existing.get(pipeline.trigger_type);
    const outcome: Outcome =
      current === undefined ? 'created' : isSame(current, pipeline) ? 'unchanged' : 'updated';
    const before = current === undefined ? null : described(current);
    return { trigger_type: pipeline.trigger_type, outcome, before, after: described(pipeline) };
  });
  if (json) {
    output.json(changes);
    return;
  }
  for (const { trigger_type, outcome, before, after } of changes) {
    output.line(
      `${plain(trigger_type)}: ${outcome === 'unchanged' ? outcome : `would be ${paint(styleOf(outcome), outcome)}`}`,
    );
    if (outcome === 'unchanged') continue;
    const old = before === null ? '' : toDocument(before);
    for (const line of differences(old, toDocument(after), paint)) output.line(line);
  }
}

function differences(before: string, after: string, paint: Paint): string[] {
  return diffLines(before, after).flatMap(({ value, added, removed }) => {
    const lines = value.replace(/\n$/, '').split('\n').map(plain);
    if (added) return lines.map((line) => paint('green', `  + ${line}`));
    if (removed) return lines.map((line) => paint('red', `  - ${line}`));
    return lines.map((line) => `    ${line}`);
  });
}

/** Formats why the API rejected it, with the location in the file. */
function explainAt({ at, trigger_type }: PipelineInFile, error: ApiError): string[] {
  const hint = hintFor(error);
  const places =
    error.findings.length > 0
      ? error.findings.map(({ path, message }) => `${at(path)}: ${message} (${error.code})`)
      : [`${at('')}: ${trigger_type}: ${explainShortly(error)}`];
  return [...places, ...(hint === null ? [] : [hint])].map(plain);
}

const styleOf = (outcome: Outcome): Style =>
  outcome === 'created' ? 'green' : outcome === 'updated' ? 'yellow' : 'dim';
