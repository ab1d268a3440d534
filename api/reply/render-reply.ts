import { Readable } from 'node:stream';
import { mapInTurns } from '../../core/in-turns.js';
import { renderJson } from '../../core/raw-json.js';

/** Characters past which an answer is sent piece by piece: to encode it at once would hold the event loop. */
const mostAtOnce = 1024 * 1024;

/** The JSON of an answer. Of a list each item is written by itself, and others get their turn between two of them. */
export async function renderReply(body: object): Promise<string | Readable> {
  const { items, ...rest } = body as { readonly items?: unknown };
  if (!Array.isArray(items)) return renderJson(body);
  const rendered = await mapInTurns(items as unknown[], renderJson);
  const end = Object.keys(rest).length === 0 ? '}' : `,${renderJson(rest).slice(1)}`;
  const length = rendered.reduce((sum, item) => sum + item.length, 0);
  if (length <= mostAtOnce) return `{"items":[${rendered.join()}]${end}`;
  const pieces = rendered.map((item, at) => (at === 0 ? item : `,${item}`));
  return Readable.from(['{"items":[', ...pieces, `]${end}`], { objectMode: false });
}
