import { eventually } from '../../test/support/eventually.js';
import { startEngineRig, type EngineRig } from '../kit/rivals/engine-rig.js';
import { overRounds, type Bench } from '../kit/figure.js';
import { startHttpPlugin, type Callback } from '../kit/http-plugin.js';
import { inTurns, manyAtOnce, timed } from '../kit/in-turns.js';

const inFlight = 50;
const timeoutMs = 300_000;

/** The steps that wait for their callback: the delivery has ended, and the workflow is idle. */
const waiting = `steps where status = 'RUNNING' and plugin_id = 'held' and waiting_for is not null`;

/** Rates per second: until all requests were answered, and until everything that they concern has ended. */
interface Rates {
  readonly answered: number;
  readonly ended: number;
}

/** How fast reports of HTTP workers are processed. */
export const callback: Bench = {
  name: 'callback',
  about: `SUCCESS reports of steps that an HTTP worker accepted with 202, ${inFlight} in flight, until all resources are COMPLETED; signals to bare workflows that each wait for one, until all have ended`,
  async run({ scale, say }) {
    const count = Math.max(inFlight, Math.round(500 * scale));
    const rig = await startEngineRig();
    const taken: Callback[] = [];
    const plugin = await startHttpPlugin(rig.api, 'held', (step) => taken.push(step));
    try {
      await rig.api.addPipeline('held', [{ plugin_id: 'held' }]);
      const rounds = await inTurns(5, {
        ours: async () => {
          const ids: string[] = [];
          taken.length = 0;
          await manyAtOnce(
            count,
            inFlight,
            async () => void ids.push(await rig.registering.register('held')),
          );
          const areHeld = async (): Promise<boolean> =>
            taken.length === count && (await rig.parts.count(waiting)) === count;
          await eventually(areHeld, { timeoutMs });
          const completed = Promise.all(ids.map((id) => rig.completions.of(id)));
          const rates = await measure(count, completed, async (index) => {
            const status = await plugin.report(taken[index]!);
            if (status >= 300) throw new Error(`A report returned ${status}.`);
          });
          say(`${rates.ended.toFixed(0)} reports/s of ours, answered ${rates.answered.toFixed(0)}/s`);
          return rates;
        },
        beside: async () => {
          const handles = await startWaiting(rig, count);
          const ended = Promise.all(handles.map((handle) => handle.result()));
          const rates = await measure(count, ended, (index) => handles[index]!.signal('wake'));
          say(`${rates.ended.toFixed(0)} signals/s bare, answered ${rates.answered.toFixed(0)}/s`);
          return rates;
        },
      });
      const figure = (what: string, of: keyof Rates) => ({
        what,
        unit: '/s',
        ours: rounds.ours.map((rates) => rates[of]),
        beside: rounds.beside.map((rates) => rates[of]),
      });
      return {
        figures: [
          { ...figure('reports, until all are COMPLETED', 'ended'), goal: { atLeast: 0.7 } },
          { ...figure('reports, until all are answered', 'answered'), goal: null },
        ],
        curve: {
          x: 'resources or workflows so far',
          y: 'reports or signals a second, until all have ended',
          lines: overRounds(count, {
            ours: rounds.ours.map(({ ended }) => ended),
            bare: rounds.beside.map(({ ended }) => ended),
          }),
        },
      };
    } finally {
      await plugin.stop();
      await rig.stop();
    }
  },
};

async function measure(
  count: number,
  ended: Promise<unknown>,
  send: (index: number) => Promise<void>,
): Promise<Rates> {
  const answering = timed(() => manyAtOnce(count, inFlight, send));
  const ending = timed(() => Promise.all([answering, ended]));
  return { answered: (count * 1000) / (await answering), ended: (count * 1000) / (await ending) };
}

/** Starts workflows that wait for a signal, and waits until all of them do. */
async function startWaiting({ temporal }: EngineRig, count: number) {
  const round = `signalled-${Date.now()}`;
  const start = (index: number) =>
    temporal.workflow.start('signalled', { taskQueue: 'bare', workflowId: `${round}-${index}` });
  const handles: Awaited<ReturnType<typeof start>>[] = [];
  await manyAtOnce(count, inFlight, async (index) => {
    const handle = await start(index);
    handles[index] = handle;
    // Four events: the workflow started, and its first task was scheduled, started and completed.
    await eventually(async () => (await handle.describe()).historyLength >= 4, { intervalMs: 5 });
  });
  return handles;
}
