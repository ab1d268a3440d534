import { text } from 'node:stream/consumers';
import { definePlugin } from '@knowledge-warehouse/plugin';

/** Finds the most frequent words of a text. */
export const plugin = definePlugin({
  id: 'keywords',
  name: 'Keywords',
  version: '1.0.0',
  configSchema: {
    type: 'object',
    properties: {
      limit: { type: 'integer', minimum: 1, default: 10, description: 'Number of words to keep.' },
      shortest: { type: 'integer', minimum: 1, default: 4, description: 'Minimum letters in a word.' },
    },
    additionalProperties: false,
  },
  produces: ['keywords'],
  heartbeatSeconds: 30,

  async run(ctx) {
    // The text that an earlier step produced, or else the file itself.
    const content = ctx.inputs.has('text')
      ? await ctx.inputs.text('text')
      : await text(await ctx.source.stream());

    const counts = new Map<string, number>();
    for (const [word] of content.toLowerCase().matchAll(/\p{L}+/gu)) {
      if (word.length >= ctx.config.shortest) counts.set(word, (counts.get(word) ?? 0) + 1);
    }
    if (counts.size === 0) ctx.fail('NO_WORDS', 'The text contains no words.', { retryable: false });

    const words = [...counts]
      .map(([word, count]) => ({ word, count }))
      .sort((a, b) => b.count - a.count || a.word.localeCompare(b.word))
      .slice(0, ctx.config.limit);
    await ctx.emit({ type: 'keywords', content_type: 'json', content: { words } });
    ctx.log.info({ words: words.length }, 'keywords were found');
  },
});
