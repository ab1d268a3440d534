import { Readable } from 'node:stream';
import { mapInTurns } from '../../core/in-turns.js';
import { renderJson } from '../../core/json/raw-json.js';

/** Longer responses, in characters, are sent in pieces: encoding them at once would block the event loop. */
const mostAtOnce = 1024 * 1024;

/** Serializes a response. Writes items of a list one by one, yielding to other work in between. */
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
