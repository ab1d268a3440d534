import { createInterface } from 'node:readline';
import { definePlugin } from '@knowledge-warehouse/plugin';

interface Heading {
  readonly level: number;
  readonly title: string;
  readonly line: number;
}

/** Lists the headings of a Markdown text. */
export const plugin = definePlugin({
  id: 'outline',
  name: 'Outline',
  version: '1.0.0',
  configSchema: {
    type: 'object',
    properties: {
      depth: {
        type: 'integer',
        minimum: 1,
        maximum: 6,
        default: 3,
        description: 'Levels of headings to keep.',
      },
    },
    additionalProperties: false,
  },
  produces: ['outline'],
  heartbeatSeconds: 30,

  async run(ctx) {
    // The text that an earlier step produced, or else the file itself. It is read line by line, so its size does not
    // matter.
    const input = ctx.inputs.has('text') ? await ctx.inputs.stream('text') : await ctx.source.stream();
    let bytes = 0;
    input.on('data', (chunk: Buffer) => (bytes += chunk.length));

    const headings: Heading[] = [];
    let line = 0;
    let inCode = false;
    for await (const text of createInterface({ input, crlfDelay: Infinity })) {
      line++;
      if (/^\s*(```|~~~)/.test(text)) inCode = !inCode;
      const [, marks = '', title = ''] = /^(#{1,6})\s+(.*?)\s*#*$/.exec(text) ?? [];
      if (!inCode && title !== '' && marks.length <= ctx.config.depth) {
        headings.push({ level: marks.length, title, line });
      }
      ctx.progress(bytes / Math.max(bytes, ctx.source.sizeBytes ?? 0, 1), `line ${line}`);
    }
    await ctx.emit({ type: 'outline', content_type: 'json', content: { headings } });
  },
});
