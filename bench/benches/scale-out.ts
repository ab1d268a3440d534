import { startEngineRig } from '../kit/engine-rig.js';
import type { Bench } from '../kit/figure.js';
import { inTurns, manyAtOnce, timed } from '../kit/in-turns.js';
import { startRegistering } from '../kit/registering.js';

const steps = 3;
const inFlight = 50;

/** What a second API and worker bring. */
export const scaleOut: Bench = {
  name: 'scale-out',
  about: `resources of ${steps} no-op activity steps, POST to COMPLETED, ${inFlight} in flight, with two pairs of API and worker on one Temporal dev server, which keeps its state in SQLite; with one pair`,
  async run({ scale, say }) {
    const count = Math.max(inFlight, Math.round(300 * scale));
    const rig = await startEngineRig();
    const first = startRegistering(rig.api, inFlight);
    try {
      await rig.api.client.expect(201, 'POST', '/pipelines', {
        name: 'Nothing, three times',
        trigger_type: 'nothing',
        steps: Array.from({ length: steps }, () => ({ plugin_id: 'noop' })),
      });
      const stepsPerSecond = async (pairs: readonly (typeof first)[]): Promise<number> => {
        const ms = await timed(() =>
          manyAtOnce(count, inFlight, async (index) => {
            await rig.completions.of(await pairs[index % pairs.length]!.register('nothing'));
          }),
        );
        const rate = (count * steps * 1000) / ms;
        say(`${rate.toFixed(0)} steps/s with ${pairs.length}`);
        return rate;
      };
      const { ours, beside } = await inTurns(5, {
        ours: async () => {
          const [api, worker] = await Promise.all([rig.parts.startApi(), rig.parts.startWorker()]);
          const second = startRegistering(api, inFlight);
          try {
            return await stepsPerSecond([first, second]);
          } finally {
            await second.close();
            await Promise.all([api.stop(), worker.stop()]);
          }
        },
        beside: () => stepsPerSecond([first]),
      });
      const { rows } = await rig.parts.db.raw<{ rows: [{ left: number }] }>(
        `select count(*) as left from resources where status <> 'COMPLETED'`,
      );
      return {
        figures: [{ what: 'two pairs beside one', unit: 'steps/s', ours, beside, goal: null }],
        counts: [
          {
            what: 'resources that are not COMPLETED',
            unit: 'resources',
            value: rows[0].left,
            goal: { atMost: 0 },
          },
        ],
      };
    } finally {
      await first.close();
      await rig.stop();
    }
  },
};
