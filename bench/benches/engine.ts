import { startEngineRig } from '../kit/rivals/engine-rig.js';
import { overRounds, toCount, type Bench, type BenchOptions, type Findings } from '../kit/figure.js';
import { inTurns } from '../kit/in-turns.js';
import { createNoopPipeline, inFlight, steps, stepsPerSecond } from '../kit/noop-load.js';

/** Steps per second, and the processor time of API and worker per resource. */
export const engine: Bench = {
  name: 'engine',
  about: `resources with ${steps} no-op activity steps, from POST to COMPLETED, ${inFlight} in flight; bare workflows with as many activities`,
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
    await createNoopPipeline(rig.api);
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
    const seconds = measured.reduce((sum, value) => sum + value, 0) / measured.length;
    return {
      figures: [{ what: 'steps', unit: 'steps/s', ours, beside, goal: { atLeast } }],
      counts: [toCount('processor time of API and worker for a resource', 'ms', seconds * 1000)],
      curve: {
        x: 'resources or workflows so far',
        y: 'steps/s',
        lines: overRounds(count, { ours, bare: beside }),
      },
    };
  } finally {
    await rig.stop();
  }
}
