import { ApiError, type SearchMode } from '@knowledge-warehouse/client';

import { withService, type CommandContext } from '../command.js';
import { CommandError } from '../exit.js';
import type { JsonFlags } from '../service/find-service.js';
import { tableLines, type Column } from '../terminal/table.js';
import { missingResources, warningOfMissing } from './missing-resources.js';
import { readQuestions, type Question } from './questions.js';
import { searchModes } from './search.js';

interface EvalFlags extends JsonFlags {
  readonly type?: readonly string[];
  readonly mode?: SearchMode;
}

/** The quality of a mode. */
interface Figures {
  readonly mode: SearchMode;
  readonly questions: number;
  /** The share of the expected resources that are among the first hits, averaged over the questions. */
  readonly 'recall@1': number;
  readonly 'recall@5': number;
  readonly 'recall@10': number;
  /** The mean reciprocal rank of the first right hit. */
  readonly mrr: number;
  readonly p50_ms: number;
  readonly p95_ms: number;
  /** Questions with no expected resource among the first ten hits. */
  readonly missed: readonly string[];
}

/** `kw eval`: asks every question in every available mode. */
export async function evaluate(file: string, flags: EvalFlags): Promise<void> {
  const questions = await readQuestions(file);
  await withService(flags, async (context) => {
    const { output, lines } = context;
    const all: Figures[] = [];
    const found = new Set<string>();
    for (const mode of flags.mode === undefined ? searchModes : [flags.mode]) {
      const figures = await measure(context, questions, mode, flags, found);
      if (typeof figures !== 'string') all.push(figures);
      else lines.print(`${mode}: left out, ${figures}`);
    }
    // What was left out has been said.
    if (all.length === 0) throw new CommandError('');
    const missing = await missingResources(context.client, questions, found);
    if (missing.length > 0) lines.print(warningOfMissing(file, missing));
    output.result(all, flags, () => tableLines(columns, all, context));
    if (flags.json === true) return;
    for (const { mode, missed } of all)
      for (const question of missed)
        lines.print(`${mode}: no expected resource among the first ten hits: ${question}`);
  });
}

const share = (value: number): string => value.toFixed(3);
const columns: readonly Column<Figures>[] = [
  { title: 'MODE', value: ({ mode }) => mode },
  { title: 'QUESTIONS', value: ({ questions }) => String(questions), align: 'right' },
  { title: 'RECALL@1', value: (row) => share(row['recall@1']), align: 'right' },
  { title: 'RECALL@5', value: (row) => share(row['recall@5']), align: 'right' },
  { title: 'RECALL@10', value: (row) => share(row['recall@10']), align: 'right' },
  { title: 'MRR', value: ({ mrr }) => share(mrr), align: 'right' },
  { title: 'P50', value: ({ p50_ms }) => `${p50_ms.toFixed(0)} ms`, align: 'right' },
  { title: 'P95', value: ({ p95_ms }) => `${p95_ms.toFixed(0)} ms`, align: 'right' },
];

/** Returns the figures of a mode, or why it is not available. Adds the ids and names of all hits to `seen`. */
async function measure(
  { client, lines }: CommandContext,
  questions: readonly Question[],
  mode: SearchMode,
  { type }: EvalFlags,
  seen: Set<string>,
): Promise<Figures | string> {
  const times: number[] = [];
  const places: { readonly right: number; readonly of: number; readonly found: readonly number[] }[] = [];
  for (const [at, { question, resources }] of questions.entries()) {
    if (lines.live) lines.show(() => [`${mode}: ${at + 1} of ${questions.length}`]);
    const begun = performance.now();
    try {
      const { value: data } = await client.POST('/search', {
        body: { q: question, mode, limit: 10, per_resource: 1, type: type && [...type] },
      });
      if (data.fallback !== null) return data.fallback.reason;
      times.push(performance.now() - begun);
      for (const { resource } of data.items) seen.add(resource.id).add(resource.name);
      const wanted = [...new Set(resources)];
      // A name counts as found at the first resource that has it.
      const found = wanted
        .map((each) => data.items.findIndex(({ resource: { id, name } }) => each === id || each === name))
        .filter((place) => place !== -1);
      places.push({ right: Math.min(...found), of: wanted.length, found });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 409) return error.code;
      if (error.details['reason'] === 'EMBEDDER_UNAVAILABLE') return 'EMBEDDER_UNAVAILABLE';
      throw error;
    }
  }
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  const recall = (most: number): number =>
    mean(places.map(({ found, of }) => found.filter((place) => place < most).length / of));
  const sorted = [...times].sort((one, other) => one - other);
  return {
    mode,
    questions: questions.length,
    'recall@1': recall(1),
    'recall@5': recall(5),
    'recall@10': recall(10),
    mrr: mean(places.map(({ right }) => 1 / (right + 1))),
    p50_ms: sorted[Math.floor(sorted.length * 0.5)] ?? 0,
    p95_ms: sorted[Math.floor(sorted.length * 0.95)] ?? 0,
    missed: questions.filter((_, at) => places[at]?.found.length === 0).map(({ question }) => question),
  };
}
