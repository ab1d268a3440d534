import { onService, withService } from '../command.js';
import type { JsonFlags, ServiceFlags } from '../service/find-service.js';
import { listAll, type Pipeline } from '@knowledge-warehouse/client';
import { requireYes } from '../terminal/ask.js';
import { tableLines } from '../terminal/table.js';
import { plain } from '../terminal/text.js';
import { ago } from '../terminal/units.js';
import { toDocument } from './document.js';
import { findPipelines } from './find.js';

/** `kw pipelines ls`. */
export const list = onService(async (context, flags: JsonFlags) => {
  const { client, output } = context;
  const pipelines = await listAll((query) => client.GET('/pipelines', { params: { query } }));
  const columns = [
    { title: 'TRIGGER TYPE', value: (pipeline: Pipeline) => pipeline.trigger_type },
    { title: 'NAME', value: ({ name }: Pipeline) => name },
    { title: 'UPDATED', value: (pipeline: Pipeline) => output.time(pipeline.updated_at) },
    { title: 'STEPS', value: ({ steps }: Pipeline) => steps.map(({ plugin_id }) => plugin_id).join(' → ') },
  ];
  output.result(pipelines, flags, () => tableLines(columns, pipelines, context));
});

/** `kw pipelines show`. */
export const show = onService(async (context, named: string, flags: JsonFlags) => {
  const { client, output, paint } = context;
  const [found] = await findPipelines(client, [named]);
  const path = { id: found?.id ?? '' };
  const { value: body } = await client.GET('/pipelines/{id}', { params: { path } });
  const columns = [
    { title: 'STEP', value: ([index]: StepRow) => String(index), align: 'right' },
    { title: 'PLUGIN', value: ([, step]: StepRow) => step.plugin_id },
    { title: 'ATTEMPTS', value: ([, step]: StepRow) => String(step.max_attempts), align: 'right' },
    { title: 'BACKOFF', value: ([, step]: StepRow) => `${step.backoff_seconds} s`, align: 'right' },
    { title: 'TIMEOUT', value: ([, step]: StepRow) => `${step.timeout_seconds} s`, align: 'right' },
  ] as const;
  output.result(body, flags, () => [
    paint('bold', plain(body.name)),
    `  ${paint('dim', 'id     ')} ${body.id}`,
    `  ${paint('dim', 'for    ')} ${plain(body.trigger_type)}`,
    `  ${paint('dim', 'updated')} ${body.updated_at} (${ago(body.updated_at)})`,
    '',
    ...tableLines(columns, [...body.steps.entries()], context),
  ]);
});

type StepRow = readonly [number, Pipeline['steps'][number]];

/** `kw pipelines export`: prints pipelines in the form that `kw pipelines apply` reads. */
export const exportPipelines = onService(async (context, named: readonly string[], flags: JsonFlags) => {
  const { client, output } = context;
  const pipelines =
    named.length === 0
      ? await listAll((query) => client.GET('/pipelines', { params: { query } }))
      : await findPipelines(client, named);
  const sorted = [...pipelines].sort((one, other) => (one.trigger_type < other.trigger_type ? -1 : 1));
  if (flags.json === true)
    output.json(sorted.map(({ name, trigger_type, steps }) => ({ name, trigger_type, steps })));
  else await output.write(sorted.map(toDocument).join('---\n'));
});

/** `kw pipelines rm`. */
export async function remove(
  named: readonly string[],
  flags: ServiceFlags & { readonly yes?: boolean },
): Promise<void> {
  const all = named.map(plain).join(', ');
  await requireYes(`Delete the pipeline${named.length === 1 ? '' : 's'} for ${all}?`, flags);
  await withService(flags, async ({ client, output }) => {
    for (const { id, trigger_type } of await findPipelines(client, named)) {
      await client.DELETE('/pipelines/{id}', { params: { path: { id } } });
      output.line(`Deleted the pipeline for ${plain(trigger_type)}.`);
    }
  });
}
