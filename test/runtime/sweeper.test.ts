import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pino } from 'pino';
import { createLogFields } from '../../runtime/logging/log-fields.js';
import { createCleanUpReconciler } from '../../runtime/sweeps/reconcile-clean-ups.js';
import { createOperationReconciler } from '../../runtime/sweeps/reconcile-operations.js';
import { createRunReconciler, type RunTables } from '../../runtime/sweeps/reconcile-runs.js';
import { lostRunsTask } from '../../runtime/sweeps/lost-runs.js';
import { createSignalSweep } from '../../runtime/sweeps/signal-reports.js';
import type { OutboxMessage } from '../../core/outbox.js';
import { createOutboxSender } from '../../runtime/temporal/outbox-sender.js';
import { startSweeper } from '../../runtime/sweeps/sweeper.js';
import { createTurns } from '../../runtime/sweeps/turns.js';
import { eventually } from '../support/eventually.js';

const log = pino({ level: 'silent' });

/** An outbox of which there is always more, and a Temporal that takes it. */
function createEndlessOutbox(
  sent: (message: OutboxMessage) => void,
  cancelRun = (): Promise<void> => Promise.resolve(),
) {
  const message: OutboxMessage = {
    id: 1,
    kind: 'CANCEL',
    resource_id: 'r',
    run: 1,
    tries: 1,
    late: false,
    origin: null,
    start: null,
  };
  const nothing = (): Promise<void> => Promise.resolve();
  const store = {
    lease: ({ limit }: { readonly limit: number }) =>
      new Promise<OutboxMessage[]>((resolve) => setTimeout(resolve, 2, Array(limit).fill(message))),
    sent: (each: OutboxMessage) => nothing().then(() => sent(each)),
    postpone: nothing,
    reprocess: nothing,
    startedLate: nothing,
  };
  const away = (): never => assert.fail('it is not used');
  const workflows = { cancelRun, startRun: nothing, signalReport: nothing, check: nothing };
  const others = {
    startCleanUp: away,
    startOperation: away,
    restartCleanUp: away,
    terminateOverdue: away,
    pendingWork: away,
    readPolling: away,
    serverVersion: away,
  };
  return createOutboxSender(
    store,
    { ...workflows, ...others, runStatus: away, closedRuns: away },
    log,
    createLogFields(),
  );
}

describe('the sender of the outbox', () => {
  it('sends few of many messages at once, then the others, and leaves very many to the sweeps', async () => {
    let sent = 0;
    let open = 0;
    let most = 0;
    const outbox = createEndlessOutbox(
      () => (sent += 1),
      async () => {
        most = Math.max(most, (open += 1));
        await nextTurn();
        open -= 1;
      },
    );
    for (let id = 1; id <= 2_000; id++) outbox.sendSoon(id);
    await outbox.idle();
    assert.deepEqual([sent, most], [1_032, 32]);
  });

  it('leaves messages that still wait to other processes when it closes', async () => {
    let sent = 0;
    const outbox = createEndlessOutbox(
      () => (sent += 1),
      () => nextTurn(),
    );
    for (let id = 1; id <= 100; id++) outbox.sendSoon(id);
    await outbox.close();
    assert.equal(sent, 32);
  });
});

describe('the sweeps of a process', () => {
  it('all get their turn although one of them has endless work', async () => {
    const outbox = createEndlessOutbox(() => undefined);
    let turns = 0;
    const tasks = [
      { name: 'outbox', run: (signal: AbortSignal) => outbox.sweep(signal) },
      { name: 'fails', run: () => Promise.reject(new Error('broken')) },
      { name: 'waits', run: () => Promise.resolve((turns += 1)) },
    ];
    // Between rounds with nothing left to do there is an hour.
    const sweeper = startSweeper(tasks, 3_600, log);
    await eventually(() => turns >= 2);
    await sweeper.stop();
  });

  it('log a failure of all of them once, and again after a round without failures', async () => {
    const lines: string[] = [];
    const warnings = pino({ level: 'warn' }, { write: (line) => void lines.push(line) });
    let rounds = 0;
    const fail = (): Promise<void> =>
      rounds === 3 ? Promise.resolve() : Promise.reject(new Error(`the cause of round ${rounds}`));
    const tasks = [
      { name: 'first', run: fail },
      { name: 'second', run: fail },
      { name: 'counted', run: () => Promise.resolve((rounds += 1)) },
    ];
    const sweeper = startSweeper(tasks, 0.001, warnings, () => new Error('no schema'));
    await eventually(() => rounds > 6);
    await sweeper.stop();
    const failures = lines.map((line) => JSON.parse(line) as { task: string; err: { message: string } });
    assert.deepEqual(
      failures.map(({ task, err }) => [task, err.message]),
      [
        ['first', 'no schema'],
        ['first', 'no schema'],
      ],
    );
  });

  it('are not delayed by a store that does not answer, nor is the stop of the process', async () => {
    const lines: string[] = [];
    const warnings = pino({ level: 'warn' }, { write: (line) => void lines.push(line) });
    let turns = 0;
    const untilStopped = (signal: AbortSignal): Promise<void> =>
      new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason as Error)),
      );
    const tasks = [
      { name: 'discarded objects', run: untilStopped, usesStore: true as const },
      { name: 'counted', run: () => Promise.resolve((turns += 1)) },
    ];
    const sweeper = startSweeper(tasks, 0.001, warnings);
    await eventually(() => turns >= 2);
    await sweeper.stop();
    assert.deepEqual(lines, []);
  });

  it('look for lost runs without a pause while Temporal knows none of them', async () => {
    const statuses = ['UNKNOWN', 'UNKNOWN', 'OPEN'] as const;
    const pauses: number[] = [];
    const away = (): never => assert.fail('it is not used');
    const tables: Partial<RunTables> = {
      leaseQuiet: () => Promise.resolve([{ resourceId: '1', run: 1, missing: false }]),
      missing: () => Promise.resolve(false),
      repaired: () => Promise.resolve(),
    };
    const runStatus = () => Promise.resolve(statuses[pauses.length]!);
    const workflows = { closedRuns: away, terminateOverdue: away, runStatus };
    const runs = createRunReconciler(tables as RunTables, workflows, log);
    const turns = createTurns({
      listPaused: () => Promise.resolve([]),
      take: () => Promise.resolve({ position: null }),
      end: (_name, { pauseSeconds }) => Promise.resolve(pauses.push(pauseSeconds)),
    });
    const sweeper = startSweeper([lostRunsTask(turns, runs)], 3_600, log);
    await eventually(() => pauses.length === statuses.length);
    await sweeper.stop();
    assert.deepEqual(pauses, [0, 0, 10]);
  });

  it('end when the process stops, whatever is left to send', async () => {
    let sent = 0;
    const outbox = createEndlessOutbox(() => (sent += 1));
    let began = false;
    const tasks = [
      { name: 'outbox', run: (signal: AbortSignal) => outbox.sweep(signal) },
      { name: 'next', run: () => Promise.resolve((began = true)) },
    ];
    const sweeper = startSweeper(tasks, 3_600, log);
    await eventually(() => sent > 0);
    await sweeper.stop();
    assert.equal(began, false);
  });
});

describe('a sweep of messages to Temporal', () => {
  type Send = (resourceId: string) => Promise<void>;
  type Done = (ref: { readonly resourceId: string }) => Promise<void>;
  const refused = Object.assign(new Error('refused'), { code: 3, details: '', metadata: {} });
  const unreadable = new Error('unreadable');
  const denied = Object.assign(new Error('denied'), { code: 7, details: '', metadata: {} });
  const away = Object.assign(new Error('away'), { code: 14, details: '', metadata: {} });
  const refs = ['1', '2', '3'].map((resourceId) => ({ resourceId, run: 1 }));
  const lines: string[] = [];
  const warnings = pino({ level: 'warn' }, { write: (line) => void lines.push(line) });

  const signalReports = async (send: Send, sent: Done): Promise<void> => {
    const lease = () => Promise.resolve(refs.map((ref) => ({ ...ref, stepIndex: 0, attempt: 1 })));
    await createSignalSweep({ lease, sent }, { signalReport: send }, warnings)();
  };
  const endOverdueCancels = async (send: Send, ended: Done): Promise<void> => {
    const tables: Partial<RunTables> = {
      overdueCancels: () => Promise.resolve(refs),
      end: (ref) => ended(ref).then(() => true),
      repaired: () => Promise.resolve(),
    };
    const workflows = {
      closedRuns: (): never => assert.fail('it is not used'),
      runStatus: () => Promise.resolve('TERMINATED' as const),
      terminateOverdue: (id: string) => send(id).then(() => true),
    };
    await createRunReconciler(tables as RunTables, workflows, warnings).endOverdueCancels();
  };
  const settleClosed = async (send: Send, ended: Done): Promise<void> => {
    const tables: Partial<RunTables> = {
      stillProcessing: (runs) => Promise.resolve(runs),
      end: (ref) => ended(ref).then(() => true),
      repaired: () => Promise.resolve(),
    };
    const workflows = {
      // oxlint-disable-next-line typescript/require-await -- an async generator, as in production
      closedRuns: async function* () {
        for (const ref of refs) yield [{ ...ref, closedAt: new Date(0) }];
      },
      runStatus: (id: string) => send(id).then(() => 'TERMINATED' as const),
      terminateOverdue: (): never => assert.fail('it is not used'),
    };
    await createRunReconciler(tables as RunTables, workflows, warnings).settleClosed(null);
  };

  const restartCleanUps = async (send: Send, done: Done): Promise<void> => {
    const listOpen = () => Promise.resolve({ refs, next: null });
    const restartCleanUp = async (ref: { readonly resourceId: string }): Promise<boolean> => {
      await send(ref.resourceId);
      await done(ref);
      return true;
    };
    const tables = { listOpen, restarted: () => Promise.resolve() };
    await createCleanUpReconciler(tables, { restartCleanUp }, warnings)(null);
  };
  const restartOperations = async (send: Send, done: Done): Promise<void> => {
    const listQuiet = () => Promise.resolve({ ids: refs.map(({ resourceId }) => resourceId), next: null });
    const startOperation = async (resourceId: string): Promise<boolean> => {
      await send(resourceId);
      await done({ resourceId });
      return true;
    };
    const tables = { listQuiet, restarted: () => Promise.resolve() };
    await createOperationReconciler(tables, { startOperation }, warnings)(null);
  };

  const oneByOne = [signalReports, endOverdueCancels, settleClosed, restartOperations];
  for (const [error, expected, sweeps] of [
    [refused, ['1', '3'], [...oneByOne, restartCleanUps]],
    [unreadable, ['1', '3'], [...oneByOne, restartCleanUps]],
    [away, ['1'], oneByOne],
    [denied, ['1'], oneByOne],
  ] as const)
    for (const sweep of sweeps)
      it(`sends ${expected.join(' and ')} of 3 if the second one is ${error.message}: ${sweep.name}`, async () => {
        const done: string[] = [];
        const send: Send = (id) => (id === '2' ? Promise.reject(error) : Promise.resolve());
        const note: Done = ({ resourceId }) => Promise.resolve(void done.push(resourceId));
        lines.length = 0;
        const swept = sweep(send, note);
        if (error === away || error === denied) await assert.rejects(swept, error);
        else await swept;
        assert.deepEqual(done, expected);
        const warned = lines.map(
          (line) => JSON.parse(line) as Partial<Record<'msg' | 'resource_id' | 'operation_id', string>>,
        );
        const failed = warned.filter(({ msg }) => msg?.startsWith('calls to Temporal failed'));
        assert.deepEqual(
          failed.map(({ resource_id, operation_id }) => resource_id ?? operation_id),
          error === away || error === denied ? [] : ['2'],
        );
      });

  /** Runs that Temporal knows or refuses to describe. */
  const reconcilerOf = (describe: (resourceId: string) => Promise<'UNKNOWN'>) => {
    const tables: Partial<RunTables> = {
      stillProcessing: (runs) => Promise.resolve(runs),
      leaseQuiet: () => Promise.resolve(refs.map((ref) => ({ ...ref, missing: false }))),
      missing: () => Promise.resolve(false),
      repaired: () => Promise.resolve(),
    };
    const workflows = {
      // oxlint-disable-next-line typescript/require-await -- an async generator, as in production
      closedRuns: async function* () {
        for (const ref of refs) yield [{ ...ref, closedAt: new Date(0) }];
      },
      runStatus: describe,
      terminateOverdue: (): never => assert.fail('it is not used'),
    };
    lines.length = 0;
    return createRunReconciler(tables as RunTables, workflows, warnings);
  };

  it('looks at the same closed runs again if Temporal described none of them', async () => {
    const runs = reconcilerOf(() => Promise.reject(refused));
    await assert.rejects(runs.settleClosed(null), refused);
    await assert.rejects(runs.settleClosed(null), refused);
    assert.equal(lines.length, 1, 'it logs the same failure once a minute');
  });

  it('does not call all runs lost if Temporal refused to describe some', async () => {
    const runs = reconcilerOf((id) => (id === '2' ? Promise.reject(refused) : Promise.resolve('UNKNOWN')));
    assert.equal(await runs.lookForLost(), false);
  });
});
