import { cpus } from 'node:os';
import { startEngineRig, type EngineRig } from '../kit/rivals/engine-rig.js';
import { spreadOf, toCount, type Bench, type Count } from '../kit/figure.js';
import { inTurns, manyAtOnce } from '../kit/in-turns.js';
import { createNoopPipeline, inFlight, steps, stepsPerSecond } from '../kit/noop-load.js';
import { sessionsDuring, type SessionCost } from '../kit/costs/postgres-cost.js';
import { cpuSeconds, cpuSecondsWithChildren } from '../kit/costs/process-cost.js';
import { startRegistering, type Registering } from '../kit/load/registering.js';
import { startTemporalOnPostgres, type TemporalOnPostgres } from '../kit/rivals/temporal-on-postgres.js';

/**
 * New processes are slower and must open their connections, so each side first processes this many resources, a few at
 * once, which are not measured.
 */
const warmUp = { resources: 30, atOnce: 5 } as const;

/** An API and a worker, and the client that registers files with them. */
interface Pair {
  readonly registering: Registering;
  readonly pids: readonly number[];
}

interface Round {
  readonly rate: number;
  readonly seconds: number;
  /** Seconds of processor time by process. */
  readonly cpu: Readonly<Record<string, number>>;
  readonly sessions: Readonly<Record<string, SessionCost>>;
}

/** The effect of a second API and worker. */
export const scaleOut: Bench = {
  name: 'scale-out',
  about: `resources with ${steps} no-op activity steps, from POST to COMPLETED, ${inFlight} in flight, with two pairs of API and worker and one Temporal server (4 shards, separate PostgreSQL server); the same with one pair`,
  async run({ scale, say }) {
    const count = Math.max(inFlight, Math.round(300 * scale));
    let temporal!: TemporalOnPostgres;
    const startTemporal = async () => (temporal = await startTemporalOnPostgres(say));
    const rig = await startEngineRig({ startTemporal });
    const first = startRegistering(rig.api, inFlight);
    try {
      await createNoopPipeline(rig.api);
      const measure = async (pairs: readonly Pair[]): Promise<Round> => {
        const one = async (index: number): Promise<void> => {
          await rig.completions.of(await pairs[index % pairs.length]!.registering.register('nothing'));
        };
        await manyAtOnce(warmUp.resources, warmUp.atOnce, one);
        const before = cpuOf(rig, temporal, pairs);
        const begun = performance.now();
        const running = stepsPerSecond(count, one);
        const [rate, service, own] = await Promise.all([
          running,
          sessionsDuring(rig.parts.postgres, running),
          sessionsDuring(temporal.postgres, running),
        ]);
        const after = cpuOf(rig, temporal, pairs);
        const cpu = Object.fromEntries(
          Object.entries(after).map(([party, seconds]) => [party, seconds - before[party]!]),
        );
        say(`${rate.toFixed(0)} steps/s with ${pairs.length}`);
        const seconds = (performance.now() - begun) / 1000;
        return { rate, seconds, cpu, sessions: { "the service's": service, "Temporal's": own } };
      };
      const one: Pair = { registering: first, pids: [rig.api.pid, rig.worker.pid] };
      const { ours, beside } = await inTurns(5, {
        ours: async () => {
          const [api, worker] = await Promise.all([rig.parts.startApi(), rig.parts.startWorker()]);
          const registering = startRegistering(api, inFlight);
          try {
            return await measure([one, { registering, pids: [api.pid, worker.pid] }]);
          } finally {
            await registering.close();
            await Promise.all([api.stop(), worker.stop()]);
          }
        },
        beside: () => measure([one]),
      });
      const rates = (rounds: readonly Round[]): number[] => rounds.map(({ rate }) => rate);
      return {
        figures: [
          {
            what: 'two pairs beside one',
            unit: 'steps/s',
            ours: rates(ours),
            beside: rates(beside),
            goal: null,
          },
        ],
        counts: [
          ...(await countWrong(rig)),
          ...costs('two pairs', count, ours),
          ...costs('one pair', count, beside),
        ],
      };
    } finally {
      await first.close();
      await rig.stop();
    }
  },
};

/** Returns the seconds of processor time used so far. */
function cpuOf(rig: EngineRig, temporal: TemporalOnPostgres, pairs: readonly Pair[]): Record<string, number> {
  return {
    'API and worker': pairs.flatMap(({ pids }) => pids).reduce((sum, pid) => sum + cpuSeconds(pid), 0),
    Temporal: cpuSeconds(temporal.daemon.identity.pid),
    "Temporal's PostgreSQL": cpuSecondsWithChildren(temporal.postgres.daemon.identity.pid),
    "the service's PostgreSQL": cpuSecondsWithChildren(rig.parts.postgres.daemon.identity.pid),
    'the no-op activities': cpuSeconds(rig.bareWorker.pid),
    'the load': cpuSeconds(process.pid),
  };
}

/** Returns the cost of each process, and what PostgreSQL sessions waited for: medians of all rounds. */
function costs(pairs: string, resources: number, rounds: readonly Round[]): Count[] {
  const count = (what: string, unit: string, of: (round: Round) => number): Count =>
    toCount(`${pairs}: ${what}`, unit, spreadOf(rounds.map(of)).median);
  const parties = Object.keys(rounds[0]?.cpu ?? {});
  const servers = Object.keys(rounds[0]?.sessions ?? {});
  const total = (round: Round): number => Object.values(round.cpu).reduce((sum, value) => sum + value, 0);
  return [
    count('processors at work, of all', '%', (round) => (total(round) / round.seconds / cpus().length) * 100),
    ...parties.map((party) =>
      count(
        `processor time of ${party} for a resource`,
        'ms',
        (round) => (round.cpu[party]! / resources) * 1000,
      ),
    ),
    ...servers.flatMap((server) => [
      count(
        `commits of ${server} PostgreSQL for a resource`,
        'commits',
        (round) => round.sessions[server]!.commits / resources,
      ),
      ...(['Lock', 'LWLock', 'IO'] as const).map((kind) =>
        count(
          `sessions of ${server} PostgreSQL that wait for ${kind}`,
          'sessions',
          (round) => round.sessions[server]!.waiting[kind],
        ),
      ),
    ]),
  ];
}

/** Counts violations that must not occur with any number of processes. */
async function countWrong({ parts }: EngineRig): Promise<Count[]> {
  const count = async (what: string, unit: string, from: string): Promise<Count> =>
    toCount(what, unit, await parts.count(from), { atMost: 0 });
  return [
    await count('resources that are not COMPLETED', 'resources', `resources where status <> 'COMPLETED'`),
    await count('runs beyond the first', 'runs', 'runs where run > 1'),
    await count('attempts beyond the first of a step', 'attempts', 'attempts where number > 1'),
  ];
}
