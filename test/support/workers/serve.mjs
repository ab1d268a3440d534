/**
 * A plugin author's worker in a separate process: `serve.mjs activity` or `serve.mjs http FOLDER`. Its settings come from
 * the environment.
 *
 * `stall` hangs in its first attempt and writes a note in each later one. `bulk` streams a text of the size that the
 * source says.
 */
import { definePlugin, runActivityWorker, runHttpWorker } from '@knowledge-warehouse/plugin';

const kind = process.argv[2] === 'http' ? 'http' : 'activity';

const stall = definePlugin({
  id: `stall-${kind}`,
  name: 'Stall',
  version: '1.0.0',
  configSchema: { type: 'object' },
  produces: ['note'],
  heartbeatSeconds: 2,
  async run(ctx) {
    ctx.progress(0.5, `attempt ${ctx.attempt.number}`);
    if (ctx.attempt.number === 1)
      await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve));
    await ctx.emit({ type: 'note', content_type: 'text', content: `of attempt ${ctx.attempt.number}` });
  },
});

const line = 'All of it goes by, piece by piece, and none of it stays: äöü.\n';
const piece = Buffer.from(line.repeat(1_000));

async function* pieces(bytes) {
  for (let left = bytes; left > 0; left -= piece.length)
    yield await Promise.resolve(left < piece.length ? Buffer.alloc(left, '.') : piece);
}

const bulk = definePlugin({
  id: `bulk-${kind}`,
  name: 'Bulk',
  version: '1.0.0',
  configSchema: { type: 'object' },
  produces: ['bulk'],
  async run(ctx) {
    const bytes = Number(await ctx.source.buffer());
    await ctx.emit({ type: 'bulk', content_type: 'text', content: pieces(bytes) });
  },
});

if (kind === 'http') await runHttpWorker([stall, bulk], { secretsFolder: process.argv[3] ?? '.kw-secrets' });
else await runActivityWorker([stall, bulk]);
