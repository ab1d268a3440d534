import { startEngineRig } from '../kit/rivals/engine-rig.js';
import { toCount, type Bench } from '../kit/figure.js';
import { startHttpPlugin } from '../kit/http-plugin.js';
import { inTurns } from '../kit/in-turns.js';
import { inFlight, steps, stepsPerSecond } from '../kit/noop-load.js';

/** Steps per second of an HTTP worker that reports by callback, and whether every report arrives. */
export const httpPipeline: Bench = {
  name: 'http-pipeline',
  about: `resources with ${steps} steps, which an HTTP worker accepts with 202 and reports immediately, from POST to COMPLETED, ${inFlight} in flight; bare workflows with as many activities, which the same worker completes by task token`,
  async run({ scale, say }) {
    const count = Math.max(inFlight, Math.round(200 * scale));
    const rig = await startEngineRig();
    const { api, parts } = rig;
    let refused = 0;
    const plugin = await startHttpPlugin(api, 'prompt', (callback, worker) => {
      worker.report(callback).then(
        (status) => (refused += status < 300 ? 0 : 1),
        () => refused++,
      );
    });
    try {
      const completer = await parts.startProgram(new URL('../bare/completer.ts', import.meta.url), [
        parts.temporalAddress,
      ]);
      const callbackUrl = /completer at (\S+)/.exec(completer.output())?.[1] ?? '';
      await api.addPipeline(
        'prompt',
        Array.from({ length: steps }, () => ({ plugin_id: 'prompt' })),
      );
      const measure = async (side: string, one: (index: number) => Promise<void>) => {
        const rate = await stepsPerSecond(count, one);
        say(`${rate.toFixed(0)} steps/s ${side}`);
        return rate;
      };
      const { ours, beside } = await inTurns(5, {
        ours: () => measure('of ours', () => rig.ours('prompt')),
        beside: () => {
          const round = `delivered-${Date.now()}`;
          return measure('bare', async (index) => {
            await rig.temporal.workflow.execute('delivered', {
              taskQueue: 'bare',
              workflowId: `${round}-${index}`,
              args: [steps, plugin.endpoint, callbackUrl],
            });
          });
        },
      });
      const unreported = `attempts where outcome is distinct from 'SUCCESS' or settled_by <> 'REPORT'`;
      const lost = refused + (await parts.count(unreported));
      return {
        figures: [{ what: 'steps', unit: 'steps/s', ours, beside, goal: { atLeast: 0.8 } }],
        counts: [toCount('reports that were lost', 'reports', lost, { atMost: 0 })],
      };
    } finally {
      await plugin.stop();
      await rig.stop();
    }
  },
};
