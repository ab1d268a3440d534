import { runWorkflowId } from '../../core/ids.js';
import { eventually } from '../../test/support/eventually.js';
import { startEngineRig, type EngineRig } from '../kit/rivals/engine-rig.js';
import { toCount, type Bench, type Count, type Curve } from '../kit/figure.js';
import { startHttpPlugin } from '../kit/http-plugin.js';

const small = 10;
const large = 5 * 1024 ** 2;
/** Long enough for a report to arrive after its delivery has ended, so that each has separate events. */
const reportAfterMs = 300;
const times = 3;
/** One more step costs half of what three steps add to one; this many show that the growth is linear. */
const mostSteps = 10;

/** The size of a workflow's history in Temporal. */
interface Length {
  readonly events: number;
  readonly bytes: number;
}

/** How much a step adds to Temporal's history. */
export const history: Bench = {
  name: 'history',
  about:
    'events and bytes in the history of a run (activity step; HTTP attempt with 202 and callback; artifacts of 10 bytes and 5 MiB); in the history of a bare workflow with as many no-op activities',
  async run({ say }) {
    const rig = await startEngineRig();
    const { api, parts } = rig;
    const contents = new Map([small, large].map((bytes) => [bytes, Buffer.alloc(bytes, 'x')]));
    let bytes = small;
    const http = await startHttpPlugin(api, 'http', (callback, plugin) => {
      setTimeout(() => {
        void (async () => {
          const upload_id = await plugin.upload(callback, contents.get(bytes)!);
          const artifact = { type: 'bulk', content_type: 'text', upload_id };
          await plugin.report(callback, { status: 'SUCCESS', artifact });
        })();
      }, reportAfterMs);
    });
    try {
      await parts.startProgram(new URL('../content-worker.ts', import.meta.url), [], {
        KW_URL: api.base,
        KW_API_KEY: api.key,
      });
      for (const plugin_id of ['bulk', 'http'])
        for (const length of [1, 3, mostSteps]) {
          const steps = Array.from({ length }, () => ({ plugin_id }));
          await eventually(() => api.addPipeline(`${plugin_id}-${length}`, steps));
        }
      const measure = async (name: string, run: (steps: number) => Promise<string>) => {
        const [one, three] = [await longest(rig, () => run(1)), await longest(rig, () => run(3))];
        const step = { events: (three.events - one.events) / 2, bytes: (three.bytes - one.bytes) / 2 };
        say(
          `${name}: ${one.events} events, ${one.bytes} bytes with 1 step; with 3, ${three.events}, ${three.bytes}`,
        );
        return { one, step, three };
      };
      const runOurs = async (plugin: string, size: number, steps: number): Promise<string> => {
        bytes = size;
        const id = await rig.registering.register(`${plugin}-${steps}`, String(size));
        await rig.completions.of(id);
        return runWorkflowId(id, 1);
      };
      const ours = (plugin: string, size: number) =>
        measure(`${plugin}, ${size} bytes`, (steps) => runOurs(plugin, size, steps));
      let started = 0;
      const runBare = async (steps: number): Promise<string> => {
        const workflowId = `history-${started++}`;
        await rig.temporal.workflow.execute('bare', { taskQueue: 'bare', workflowId, args: [steps, 'noop'] });
        return workflowId;
      };
      const bare = await measure('bare', runBare);
      const activity = await ours('bulk', small);
      const attempt = await ours('http', small);
      const line = async ({ one, three }: typeof bare, run: (steps: number) => Promise<string>) => {
        const most = await longest(rig, () => run(mostSteps));
        return [
          [1, one.bytes],
          [3, three.bytes],
          [mostSteps, most.bytes],
        ] as const;
      };
      const curve: Curve = {
        x: 'steps',
        y: 'bytes of the history',
        lines: {
          'HTTP attempts': await line(attempt, (steps) => runOurs('http', small, steps)),
          'activity steps': await line(activity, (steps) => runOurs('bulk', small, steps)),
          'bare activities': await line(bare, runBare),
        },
      };
      const [largeActivity, largeAttempt] = [await ours('bulk', large), await ours('http', large)];
      return {
        figures: (['events', 'bytes'] as const).map((unit) => ({
          what: `an activity step's ${unit}`,
          unit,
          ours: [activity.step[unit]],
          beside: [bare.step[unit]],
          goal: null,
        })),
        counts: [
          ...countsOf('an activity step', activity.step, 7),
          ...countsOf('an HTTP attempt', attempt.step, 14),
          toCount('events of a resource with one activity step', 'events', activity.one.events),
          toCount('bytes of a resource with one activity step', 'bytes', activity.one.bytes),
          ...growth('an activity step', activity.one, largeActivity.one),
          ...growth('an HTTP attempt', attempt.one, largeAttempt.one),
        ],
        curve,
      };
    } finally {
      await http.stop();
      await rig.stop();
    }
  },
};

/** Returns the longest history of a few identical workflows. */
async function longest({ temporal }: EngineRig, run: () => Promise<string>): Promise<Length> {
  const lengths: Length[] = [];
  for (let index = 0; index < times; index++) {
    const handle = temporal.workflow.getHandle(await run());
    await handle.result();
    const { historySize } = await handle.describe();
    const { events } = await handle.fetchHistory();
    lengths.push({ events: events?.length ?? Number.NaN, bytes: historySize ?? Number.NaN });
  }
  return {
    events: Math.max(...lengths.map(({ events }) => events)),
    bytes: Math.max(...lengths.map(({ bytes }) => bytes)),
  };
}

function countsOf(what: string, { events, bytes }: Length, mostEvents: number): Count[] {
  return [
    toCount(`events of ${what}`, 'events', events, { atMost: mostEvents }),
    toCount(`bytes of ${what}`, 'bytes', bytes, { atMost: 2_000 }),
  ];
}

/** Timestamps and remaining times may take one byte more. */
function growth(what: string, less: Length, more: Length): Count[] {
  return [
    toCount(`more events of ${what} with 5 MiB`, 'events', more.events - less.events, { atMost: 0 }),
    toCount(`more bytes of ${what} with 5 MiB`, 'bytes', more.bytes - less.bytes, { atMost: 32 }),
  ];
}
