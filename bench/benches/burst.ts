import { startEngineRig } from '../kit/rivals/engine-rig.js';
import { percentile, toCount, type Bench, type Curve } from '../kit/figure.js';
import { inTurns, timed } from '../kit/in-turns.js';
import { startGetter, type Getter } from '../kit/load/load.js';
import { peaksDuring, residentMib } from '../kit/costs/process-cost.js';
import { startRegistering } from '../kit/load/registering.js';

const connections = 256;
const pauseMs = 10;
const probed = ['GET /health/live', 'GET /resources/{id}'] as const;

/** The number of points in a line of the curve. */
const points = 20;

/** The requests for one path: start in seconds since the first request, and duration in milliseconds. */
type Answers = readonly (readonly [number, number])[];

/** How fast the API answers other requests while thousands of resources that arrived at once are processed. */
export const burst: Bench = {
  name: 'burst',
  about: `${probed.join(' and ')}, one request at a time, while a burst of resources with one no-op step is processed; the same requests on an idle service`,
  async run({ scale, say }) {
    const count = Math.max(50, Math.round(3_000 * scale));
    const rig = await startEngineRig();
    const registering = startRegistering(rig.api, connections);
    const getter = startGetter(1, rig.api.key);
    const pids = [rig.api.pid, rig.worker.pid];
    try {
      await rig.api.addPipeline('nothing', [{ plugin_id: 'noop' }]);
      const known = await registering.register('nothing');
      const paths = ['/health/live', `/api/v1/resources/${known}`];
      const urls = paths.map((path) => `${rig.api.base}${path}`);
      const drain = async (resources: number, meanwhile: (until: Promise<unknown>) => Promise<Answers[]>) => {
        const ids = await Promise.all(
          Array.from({ length: resources }, () => registering.register('nothing')),
        );
        return await meanwhile(Promise.allSettled(ids.map((id) => rig.completions.of(id))));
      };
      const small = Math.max(50, Math.round(count / 10));
      const peaks = await peaksDuring(pids, () =>
        drain(small, async (until) => {
          await until;
          return [];
        }),
      );
      const { ours, beside } = await inTurns(3, {
        ours: async () => {
          const answers = await drain(count, (until) => probe(getter, urls, until));
          say(`p99 ${answers.map((each) => p99(each).toFixed(1)).join(', ')} ms while draining`);
          return answers;
        },
        beside: async () => {
          const quiet = new Promise((resolve) => setTimeout(resolve, Math.max(1_000, 10_000 * scale)));
          const answers = await probe(getter, urls, quiet);
          say(`p99 ${answers.map((each) => p99(each).toFixed(1)).join(', ')} ms idle`);
          return answers;
        },
      });
      const lost = await rig.parts.count(`resources where status <> 'COMPLETED'`);
      return {
        figures: probed.map((what, index) => ({
          what: `p99 of ${what}`,
          unit: 'ms',
          ours: ours.map((answers) => p99(answers[index]!)),
          beside: beside.map((answers) => p99(answers[index]!)),
          goal: { atMost: 3 },
        })),
        counts: [
          toCount('resources that were lost', 'resources', lost, { atMost: 0 }),
          ...['API', 'worker'].map((part, index) => {
            const what = `memory of the ${part} at the end beyond the peak of a burst of ${small}`;
            return toCount(what, 'MiB', residentMib(pids[index]!) - peaks[index]!, { atMost: 64 });
          }),
        ],
        curve: {
          x: `seconds since ${count} resources were registered`,
          y: 'p95 in ms',
          lines: Object.fromEntries(probed.map((what, index) => [what, overTime(ours.at(-1)![index]!)])),
        },
      };
    } finally {
      await getter.close();
      await registering.close();
      await rig.stop();
    }
  },
};

/** Requests the URLs one after the other until the promise settles. */
async function probe(getter: Getter, urls: readonly string[], until: Promise<unknown>): Promise<Answers[]> {
  const answers: [number, number][][] = urls.map(() => []);
  const begun = performance.now();
  const state = { over: false };
  const end = until.then(() => (state.over = true));
  do {
    for (const [index, url] of urls.entries()) {
      const at = (performance.now() - begun) / 1000;
      answers[index]!.push([at, await timed(() => getter.get(url))]);
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  } while (!state.over);
  await end;
  return answers;
}

function p99(answers: Answers): number {
  return percentile(
    answers.map(([, ms]) => ms),
    0.99,
  );
}

/** Returns the 95th percentile for each interval of the time. */
function overTime(answers: Answers): Curve['lines'][string] {
  const part = (answers.at(-1)?.[0] ?? 0) / points;
  return Array.from({ length: points }, (_, index) => {
    const inside = answers.filter(([at]) => at >= index * part && at <= (index + 1) * part);
    const times = inside.map(([, ms]) => ms);
    return [(index + 0.5) * part, percentile(times, 0.95)] as const;
  }).filter(([, ms]) => Number.isFinite(ms));
}
