import { startEngineRig } from '../kit/rivals/engine-rig.js';
import { percentile, type Bench } from '../kit/figure.js';
import { inTurns, timed } from '../kit/in-turns.js';

/** How long one resource takes on an idle service. */
export const latency: Bench = {
  name: 'latency',
  about:
    'one resource with one no-op step, from POST to its COMPLETED event; a bare workflow with one activity, from start to result',
  async run({ scale, say }) {
    const count = Math.max(20, Math.round(100 * scale));
    const rig = await startEngineRig();
    try {
      await rig.api.addPipeline('nothing', [{ plugin_id: 'noop' }]);
      const series = async (one: () => Promise<void>): Promise<number[]> => {
        const times: number[] = [];
        for (let index = 0; index < count; index++) times.push(await timed(one));
        say(`p50 ${percentile(times, 0.5).toFixed(1)} ms, p99 ${percentile(times, 0.99).toFixed(1)} ms`);
        return times;
      };
      const { ours, beside } = await inTurns(5, {
        ours: () => series(() => rig.ours('nothing')),
        beside: () => series(() => rig.bare(1, 'noop')),
      });
      const at = (share: number, rounds: readonly number[][]): number[] =>
        rounds.map((times) => percentile(times, share));
      return {
        figures: [0.5, 0.99].map((share) => ({
          what: `p${share * 100}`,
          unit: 'ms',
          ours: at(share, ours),
          beside: at(share, beside),
          goal: { atMost: 1.5 },
        })),
      };
    } finally {
      await rig.stop();
    }
  },
};
