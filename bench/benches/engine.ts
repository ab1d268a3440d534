import { startEngineRig } from '../kit/engine-rig.js';
import type { Bench, BenchOptions, Findings } from '../kit/figure.js';
import { inTurns, manyAtOnce, timed } from '../kit/in-turns.js';

const steps = 3;
const inFlight = 50;

/** Steps a second, and the processor time of API and worker for a resource. */
export const engine: Bench = {
  name: 'engine',
  about: `resources of ${steps} no-op activity steps, POST to COMPLETED, ${inFlight} in flight; bare workflows of as many activities`,
  run: (options) => measure(options, { builtIn: false, atLeast: 0.85 }),
};

export const engineBuiltIn: Bench = {
  name: 'engine-builtin',
  about: `the same with no-op plugins in Core's own worker`,
  run: (options) => measure(options, { builtIn: true, atLeast: 0.9 }),
};

async function measure(
  { scale, say }: BenchOptions,
  { builtIn, atLeast }: { readonly builtIn: boolean; readonly atLeast: number },
): Promise<Findings> {
  const count = Math.max(inFlight, Math.round(300 * scale));
  const rig = await startEngineRig({ builtIn });
  try {
    await rig.api.client.expect(201, 'POST', '/pipelines', {
      name: 'Nothing, three times',
      trigger_type: 'nothing',
      steps: Array.from({ length: steps }, () => ({ plugin_id: 'noop' })),
    });
    const cpu: number[] = [];
    const { ours, beside } = await inTurns(5, {
      ours: async () => {
        const before = rig.cpu();
        const rate = await stepsPerSecond(count, () => rig.ours('nothing'));
        cpu.push((rig.cpu() - before) / count);
        say(`${rate.toFixed(0)} steps/s of ours`);
        return rate;
      },
      beside: async () => {
        const rate = await stepsPerSecond(count, () => rig.bare(steps, builtIn ? 'bare' : 'noop'));
        say(`${rate.toFixed(0)} steps/s bare`);
        return rate;
      },
    });
    const [, ...measured] = cpu;
    return {
      figures: [{ what: 'steps', unit: 'steps/s', ours, beside, goal: { atLeast } }],
      counts: [
        {
          what: 'processor time of API and worker for a resource',
          unit: 'ms',
          value: (measured.reduce((sum, value) => sum + value, 0) / measured.length) * 1000,
          goal: null,
        },
      ],
    };
  } finally {
    await rig.stop();
  }
}

async function stepsPerSecond(count: number, one: () => Promise<void>): Promise<number> {
  const ms = await timed(() => manyAtOnce(count, inFlight, one));
  return (count * steps * 1000) / ms;
}
