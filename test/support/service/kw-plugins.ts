import { definePlugin, type AnyPlugin } from '@knowledge-warehouse/plugin';
import { eventually } from '../eventually.js';

/** Plugins for the tests of `kw`. */
export interface KwPlugins {
  readonly plugins: readonly AnyPlugin[];
  /** Waits until a step is held, and releases all held steps. */
  release(): Promise<void>;
}

/**
 * Creates the plugins: `echo` makes an artifact of each kind and fails for "bad", with a code after it; `hold` waits until it is released.
 */
export function createKwPlugins(): KwPlugins {
  const held = new Set<() => void>();
  const echo = definePlugin({
    id: 'echo',
    name: 'Echo',
    version: '1.0.0',
    configSchema: { type: 'object', properties: { mark: { type: 'string' } } },
    produces: ['text', 'object', 'numbers'],
    async run(ctx) {
      const text = (await ctx.source.buffer()).toString();
      const code = /^bad (CODE_\S+)/.exec(text)?.[1] ?? 'BROKEN';
      if (text.startsWith('bad')) ctx.fail(code, 'It is \u001b[31mbroken', { retryable: false });
      await ctx.emit({ type: 'text', content_type: 'text', content: text });
      await ctx.emit({ type: 'object', content_type: 'json', content: { length: text.length, mark: '✓' } });
      await ctx.emit({ type: 'numbers', content_type: 'vector', content: [0.5, -1, 1e21] });
    },
  });
  const hold = definePlugin({
    id: 'hold',
    name: 'Hold',
    version: '1.0.0',
    configSchema: {},
    produces: ['text'],
    async run(ctx) {
      ctx.progress(0.5, 'half way');
      await new Promise<void>((letGo) => {
        held.add(letGo);
        ctx.signal.addEventListener('abort', () => letGo(), { once: true });
      });
      await ctx.emit({ type: 'text', content_type: 'text', content: 'held' });
    },
  });
  return {
    plugins: [echo, hold],
    async release() {
      await eventually(() => held.size > 0);
      for (const letGo of held) letGo();
      held.clear();
    },
  };
}
