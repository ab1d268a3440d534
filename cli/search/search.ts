import { hasSearchWords, type SearchHit, type SearchMode } from '@knowledge-warehouse/client';

import { withService } from '../command.js';
import { UsageError } from '../exit.js';
import type { JsonFlags } from '../service/find-service.js';
import type { Paint } from '../terminal/paint.js';
import { plain } from '../terminal/text.js';
import { excerpt, type Piece } from './excerpt.js';

export const searchModes = ['text', 'vector', 'hybrid'] as const satisfies readonly SearchMode[];

interface SearchFlags extends JsonFlags {
  readonly type?: readonly string[];
  readonly mode?: SearchMode;
  readonly limit: number;
  readonly perResource: number;
}

/** `kw search`: prints the hits with their locations and matches, or the API's response. */
export async function search(words: readonly string[], flags: SearchFlags): Promise<void> {
  // Options end at "--". Commander passes it on only after an exclusion; the search ignores it.
  const end = process.argv.indexOf('--');
  const literal = end === -1 ? [] : process.argv.slice(end);
  const unknown = words.find((word) => word.startsWith('--') && !literal.includes(word));
  if (unknown !== undefined)
    throw new UsageError(
      `error: unknown option '${unknown}'. To search for it, write it after "--": kw search -- ${unknown}`,
    );
  const q = words.join(' ');
  if (q.trim() === '') throw new UsageError('Missing search words: kw search WORDS…');
  await withService(flags, async ({ client, output, paint, lines }) => {
    const { type, mode, limit, perResource } = flags;
    const { value: data } = await client.POST('/search', {
      body: { q, limit, per_resource: perResource, type: type && [...type], mode },
    });
    if (flags.json === true) {
      output.json(data);
      return;
    }
    if (data.fallback !== null)
      lines.print(`Searched by words only: ${fallbackWords[data.fallback.reason] ?? data.fallback.reason}.`);
    if (data.items.length === 0) lines.print(adviceFor(q, type));
    for (const [at, hit] of data.items.entries()) {
      if (at > 0) output.line('');
      output.line(`${paint('bold', plain(hit.resource.name))}  ${paint('dim', placeOf(hit))}`.trimEnd());
      for (const line of excerpt(hit, output.width ?? 100)) output.line(`  ${painted(line, paint)}`);
      output.line(`  ${paint('cyan', hit.url)}`);
    }
  });
}

/** Says why nothing was found, or what to try first. */
function adviceFor(q: string, type: readonly string[] | undefined): string {
  if (!hasSearchWords(q)) return 'Nothing found: a search needs at least one word to find.';
  if (type !== undefined) return 'Nothing found. Search without --type, or try other words.';
  return 'Nothing found. Try other words, or fewer of them.';
}

const fallbackWords: Readonly<Record<string, string>> = {
  NO_EMBEDDER: 'the plugin embed is inactive or its config lacks base_url or model',
  NO_VECTORS: 'no resource has vectors of the model in the config of the plugin embed',
  EMBEDDER_UNAVAILABLE: 'the endpoint of the plugin embed returned no vector for the query',
};

/** Formats the location of a hit: its pages and the headings above it. */
function placeOf({ chunk }: SearchHit): string {
  const { page_start: first, page_end: last, headings } = chunk;
  const pages =
    first === null ? [] : first === last || last === null ? [`p. ${first}`] : [`pp. ${first}–${last}`];
  return plain([...pages, ...(headings.length > 0 ? [headings.join(' › ')] : [])].join(', '));
}

function painted(line: readonly Piece[], paint: Paint): string {
  return line.map(({ text, isMarked }) => (isMarked ? paint('yellow', text) : text)).join('');
}
