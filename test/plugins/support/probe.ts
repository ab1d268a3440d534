import { text } from 'node:stream/consumers';
import {
  definePlugin,
  type ActivityWorkerOptions,
  type AnyPlugin,
  type ContentStream,
  type HttpWorkerOptions,
} from '@knowledge-warehouse/plugin';
import { type TestCore } from '../../support/service/core.js';

const nothing = (): void => undefined;
export const silent = { info: nothing, warn: nothing, error: nothing };

/** What the plugin saw and did, in the suite that is running. */
export const seen = {
  /** By the text of the resource it worked on. */
  runs: [] as { readonly text: string; readonly attempt: number }[],
  aborted: [] as string[],
  cleanedUp: [] as string[],
  begun: 0,
  /** Lets a stubborn run end. */
  letGo: (): void => undefined,
  forget(): void {
    seen.begun = 0;
    seen.runs.length = 0;
    seen.aborted.length = 0;
    seen.cleanedUp.length = 0;
  },
};

async function* paragraphs(): ContentStream & AsyncGenerator<string> {
  await Promise.resolve();
  for (let at = 0; at < 40; at++) {
    yield 'x'.repeat(64 * 1024);
    // A character that stands in two pieces.
    yield '\ud83d';
    yield '\ude00';
  }
}

async function* halfOfIt(): ContentStream & AsyncGenerator<string> {
  await Promise.resolve();
  yield '{"a": [1, 2';
}

/** One definition, for both kinds of worker. What it does is the resource's text. */
export const probe = definePlugin({
  id: 'probe',
  name: 'Probe',
  version: '1.0.0',
  configSchema: {
    type: 'object',
    properties: { factor: { type: 'number', default: 2 } },
    additionalProperties: false,
  } as const,
  produces: ['note', 'facts', 'embedding', 'long', 'stream'],
  heartbeatSeconds: 1,
  async run(ctx) {
    seen.begun++;
    const wanted = await text(await ctx.source.stream());
    seen.runs.push({ text: wanted, attempt: ctx.attempt.number });
    switch (wanted) {
      case 'emit':
        await ctx.emit({ type: 'note', content_type: 'text', content: 'grüße', metadata: { a: 1 } });
        await ctx.emit({ type: 'facts', content_type: 'json', content: { factor: ctx.config.factor } });
        await ctx.emit({
          type: 'embedding',
          content_type: 'vector',
          content: [
            [0.5, 1],
            [2, 3],
          ],
        });
        await ctx.emit({ type: 'long', content_type: 'text', content: 'é'.repeat(200_000) });
        await ctx.emit({ type: 'stream', content_type: 'text', content: paragraphs() });
        break;
      case 'inputs':
        if (ctx.stepIndex === 0) {
          const metadata = { pages: [{ number: 1, start: 0 }] };
          await ctx.emit({ type: 'note', content_type: 'text', content: 'one page', metadata });
        } else {
          const inputs = ctx.inputs.list.map(({ type, metadata }) => ({ type, metadata }));
          await ctx.emit({ type: 'facts', content_type: 'json', content: { inputs } });
        }
        break;
      case 'reject':
        return ctx.fail('NO_GOOD', 'It is no good.', { retryable: false, details: { why: 'test' } });
      case 'untyped':
        ctx.progress(0.5, 5 as never);
        return ctx.fail(undefined as never, 42 as never, { retryable: false, details: 'text' as never });
      case 'unreachable':
        if (ctx.attempt.number < 3) return ctx.fail('BUSY', 'Later.');
        throw new Error('The model is down', {
          cause: new AggregateError([new Error('connect ECONNREFUSED')]),
        });
      case 'later':
        if (ctx.attempt.number === 1) ctx.fail('BUSY', 'Later.', { retryAfterSeconds: 1.5 });
        break;
      case 'broken':
        await ctx.emit({ type: 'note', content_type: 'vector', content: [Number.NaN] });
        break;
      case 'half':
        await ctx.emit({ type: 'facts', content_type: 'json', content: halfOfIt() });
        break;
      case 'stubborn':
        await new Promise<void>((resolve) => (seen.letGo = resolve));
        break;
      case 'unread':
        await ctx.inputs.text('nothing');
        break;
      case 'first-waits':
      case 'wait':
        if (wanted === 'first-waits' && ctx.attempt.number > 1) break;
        ctx.progress(0.25, 'a quarter');
        ctx.progress(0.5, 'half');
        await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve, { once: true }));
        seen.aborted.push(wanted);
        ctx.signal.throwIfAborted();
    }
  },
  cleanup(ctx) {
    seen.cleanedUp.push(ctx.resource.id);
    return Promise.resolve();
  },
});

export interface RunningWorker {
  stop(): Promise<void>;
}

/** Starts a worker of a plugin as its author does; it keeps its secrets in the folder. */
export function startWorker(
  run: (plugins: readonly AnyPlugin[], options: ActivityWorkerOptions & HttpWorkerOptions) => Promise<void>,
  plugin: AnyPlugin,
  options: HttpWorkerOptions & { readonly core: TestCore; readonly secretsFolder: string },
): RunningWorker {
  const { core, ...others } = options;
  const stopping = new AbortController();
  const running = run([plugin], {
    url: core.base,
    apiKey: core.adminKey,
    temporal: { address: core.deps.config.temporal.address, namespace: core.deps.config.temporal.namespace },
    port: 0,
    graceSeconds: 1,
    log: silent,
    signal: stopping.signal,
    ...others,
  });
  running.catch(() => undefined);
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}
