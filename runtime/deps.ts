import { withTimeLimit } from '../core/time-limit.js';
import { removeOldAudit } from '../storage/audit.js';
import { listOpenCleanUps } from '../storage/clean-ups.js';
import {
  asDatabaseError,
  checkDatabase,
  connectDatabase,
  poolUse,
  readClock,
  type Db,
} from '../storage/database/connection.js';
import { explainDatabaseRefusal } from '../storage/database/explain.js';
import {
  eventChannel,
  readEventHorizon,
  readEvents,
  removeForeignEvents,
  removeOldEvents,
} from '../storage/events.js';
import { listenTo } from '../storage/database/listen.js';
import { removeDiscarded } from '../storage/sweeps/discarded-objects.js';
import { explainBucketRefusal } from '../storage/object-store/explain.js';
import { createObjectStore, type ObjectStore } from '../storage/object-store/index.js';
import { explainSearchRefusal } from '../storage/object-store/search-bucket.js';
import { guardStore } from '../storage/object-store/owner.js';
import { observeObjectStore } from '../storage/object-store/observed.js';
import { sweepIdempotencyKeys } from '../storage/idempotency-keys.js';
import { sweepOrphans } from '../storage/sweeps/orphans.js';
import { sweepLoginLinks } from '../storage/auth/login-links.js';
import { leaseMessages, postponeMessage, removeMessage } from '../storage/outbox.js';
import { listQuietOperations, removeOldItems, removeOldOperations } from '../storage/operations/progress.js';
import { leaseSignals, signalSent } from '../storage/runs/runs.js';
import { acceptSecrets, noteSecretUse, resealValues } from '../storage/secrets.js';
import { countRepairs } from '../storage/sweeps/repairs.js';
import { sweepSessions } from '../storage/auth/sessions.js';
import { endSweep, listPausedSweeps, takeSweep } from '../storage/sweeps/turns.js';
import {
  endRunFromOutside,
  leaseQuietRuns,
  listOverdueCancels,
  markRunKnown,
  restartMissingRun,
  stillProcessing,
} from '../storage/transitions/reconcile.js';
import { noteStarted } from '../storage/transitions/status-writes.js';
import { discardUnusedUploads } from '../storage/uploads.js';
import type { Config } from './settings/config.js';
import { createDatabaseClock, type DatabaseClock } from './database-clock.js';
import { createEventFeed, type EventFeed } from './events/event-feed.js';
import { createLogFields, type LogFields } from './logging/log-fields.js';
import { createLogger, type Logger } from './logging/logger.js';
import { createProcessMetrics, type ProcessMetrics } from './metrics/process-metrics.js';
import { observeOperation } from './metrics/observe-operation.js';
import { createFetch, type OutgoingFetch } from './outgoing/index.js';
import { createOutboxSender, type OutboxSender } from './temporal/outbox-sender.js';
import { createCleanUpReconciler } from './sweeps/reconcile-clean-ups.js';
import { lostRunsTask } from './sweeps/lost-runs.js';
import { createOperationReconciler } from './sweeps/reconcile-operations.js';
import { createRunReconciler } from './sweeps/reconcile-runs.js';
import { createSecretGuard, type SecretGuard } from './secrets/secret-guard.js';
import { createSignalSweep } from './sweeps/signal-reports.js';
import type { SweepTask } from './sweeps/sweeper.js';
import { createTurns, type Turns } from './sweeps/turns.js';
import { connectTemporal } from './temporal/connection.js';
import { findTemporalRefusal } from './temporal/explain.js';
import { startTracing, type Tracing } from './tracing/index.js';
import { createWorkflowClient, type WorkflowClient } from './temporal/workflow-client.js';

/** The dependencies of a process, created once and passed on. */
export interface Deps {
  readonly config: Config;
  readonly log: Logger;
  readonly logFields: LogFields;
  readonly measured: ProcessMetrics;
  /** Null if tracing is off. */
  readonly tracing: Tracing | null;
  readonly db: Db;
  readonly secretGuard: SecretGuard;
  /** Throws ServiceError unless the database can be used and accepts this process's secrets. */
  checkDatabase(): Promise<void>;
  readonly clock: DatabaseClock;
  readonly objectStore: ObjectStore;
  readonly workflows: WorkflowClient;
  readonly outbox: OutboxSender;
  /** Live changes, made by any process. */
  readonly events: EventFeed;
  /** The `fetch` for plugins that run in this process. */
  readonly pluginFetch: OutgoingFetch;
  /** The periodic tasks that every process with these dependencies runs. */
  readonly sweeps: readonly SweepTask[];
  /**
   * Asks every dependency once whether it rejects its settings, and resolves with one sentence for each that does.
   * Dependencies that are unreachable or do not answer within seconds are not included.
   */
  findRefusals(): Promise<string[]>;
  close(): Promise<void>;
}

/** Creates the dependencies of a process. Connects to nothing yet, so that it can start while they are down. */
export async function createDeps(config: Config, processName: string): Promise<Deps> {
  const logFields = createLogFields();
  const measured = createProcessMetrics();
  const log = createLogger(
    config,
    { process: processName },
    { fields: logFields, onLost: () => measured.logLineLost() },
  );
  const tracing = await startTracing(config.tracing, processName, log);
  // A call to Temporal that takes longer than its lease is repeated, which is harmless.
  const { leaseSeconds } = config;
  const db = connectDatabase(config.databaseUrl, {
    poolSize: config.databasePoolSize,
    // Clients are waiting for the API, so its limit is shorter.
    statementMs: config.databaseTimeoutSeconds * (processName === 'api' ? 1_000 : 3_000),
    observer: measured,
  });
  const secretGuard = createSecretGuard(() => acceptSecrets(db, config.secrets), log);
  const clock = createDatabaseClock(() => readClock(db), log);
  measured.watchPool(() => poolUse(db), config.databasePoolSize);
  const anyStore = observeObjectStore(
    createObjectStore({ s3: config.s3, directory: config.objectDirectory }),
    observeOperation(measured),
  );
  const objectStore = guardStore(anyStore, db);
  const temporal = await connectTemporal(config.temporal, tracing?.clientInterceptors);
  const workflows = createWorkflowClient({
    client: temporal.client,
    connection: temporal.connection,
    namespace: config.temporal.namespace,
    timeoutMs: config.temporalTimeoutSeconds * 1_000,
    attributesPauseMs: 60_000,
    publicUrl: config.publicUrl,
    now: () => clock.now(),
    warn: (message) => log.warn(message),
  });
  const outbox = createOutboxSender(
    {
      lease: (options) => leaseMessages(db, { ...options, leaseSeconds }),
      sent: ({ id, start }) => (start === null ? removeMessage(db, id) : noteStarted(db, id, start)),
      postpone: (message, error) => postponeMessage(db, message, error),
      startedLate: (count) => countRepairs(db, 'run_started', count),
    },
    workflows,
    log,
    logFields,
  );
  const events = createEventFeed(
    {
      horizon: () => readEventHorizon(db),
      read: (after, limit) => readEvents(db, after, limit),
      listen: (onNotification) =>
        listenTo(config.databaseUrl, eventChannel, {
          onNotification,
          onFailure: (err) => log.warn({ err }, 'the change feed gets no notifications; it polls instead'),
        }),
    },
    log,
  );
  const restartCleanUps = createCleanUpReconciler(
    {
      listOpen: (after) => listOpenCleanUps(db, { after, limit: 200 }),
      restarted: (count) => countRepairs(db, 'clean_up_restarted', count),
    },
    workflows,
    log,
  );
  const restartOperations = createOperationReconciler(
    {
      listQuiet: (after) => listQuietOperations(db, { ...quietOperations, after }),
      restarted: (count) => countRepairs(db, 'operation_restarted', count),
    },
    workflows,
    log,
  );
  const sendDueSignals = createSignalSweep(
    {
      lease: () => leaseSignals(db, { limit: 100, leaseSeconds }),
      sent: async (signal) => {
        await signalSent(db, signal);
        await countRepairs(db, 'report_signalled', 1);
      },
    },
    workflows,
    log,
  );
  const turns = createTurns({
    listPaused: () => listPausedSweeps(db),
    take: (name, times) => takeSweep(db, name, times),
    end: (name, next) => endSweep(db, name, next),
  });
  const sweeps: SweepTask[] = [
    // First, because it tells the others whether they are due.
    { name: 'turns', run: () => turns.look() },
    { name: 'secrets', run: createSecretsSweep(db, turns, config, secretGuard) },
    { name: 'database clock', run: () => clock.compare() },
    { name: 'outbox', run: (signal) => outbox.sweep(signal) },
    { name: 'report signals', run: sendDueSignals },
    ...runSweeps(db, turns, clock, workflows, log),
    turns.task(openCleanUpsTurn, restartCleanUps),
    turns.task(lostOperationsTurn, restartOperations),
    { name: 'items of old operations', run: () => removeOldItems(db, 5_000) },
    { name: 'unused uploads', run: () => discardUnusedUploads(db, 500) },
    turns.task(expiredRowsTurn, () => removeExpired(db).then(() => null)),
    turns.task(oldEventsTurn, () => removeEvents(db).then(() => null)),
    turns.task(oldAuditTurn, () => removeAudit(db).then(() => null)),
    {
      ...turns.task(orphansTurn, (position, signal) =>
        removeOrphans(db, clock, objectStore, position, signal),
      ),
      usesStore: true,
    },
    {
      name: 'discarded objects',
      run: (signal) => removeDiscarded(db, objectStore, signal),
      usesStore: true,
    },
  ];
  return {
    config,
    log,
    logFields,
    measured,
    tracing,
    db,
    secretGuard,
    async checkDatabase() {
      try {
        await secretGuard.ensure();
        await checkDatabase(db);
      } catch (error) {
        throw asDatabaseError(error);
      }
    },
    clock,
    objectStore,
    workflows,
    outbox,
    events,
    pluginFetch: createFetch({ allow: config.pluginHosts }),
    sweeps,
    async findRefusals() {
      const { s3, databaseUrl, searchUri } = config;
      const found = await Promise.all([
        refusalOf(
          () => checkDatabase(db),
          (error) => explainDatabaseRefusal(error, databaseUrl),
        ),
        withTimeLimit(
          refusalPatienceMs,
          findTemporalRefusal(temporal.connection, config.temporal),
          () => null,
        ),
        s3 === null
          ? null
          : refusalOf(
              () => anyStore.check(),
              (error) => explainBucketRefusal(error, s3),
            ),
        withTimeLimit(refusalPatienceMs, explainSearchRefusal(searchUri, s3), () => null),
      ]);
      return found.filter((sentence) => sentence !== null);
    },
    async close() {
      await events.close();
      await outbox.close();
      await Promise.allSettled([db.destroy(), temporal.close(), tracing?.stop()]);
      objectStore.close();
      logFields.close();
    },
  };
}

/** How long a dependency may take to report whether it rejects its settings, in milliseconds. */
const refusalPatienceMs = 5_000;

async function refusalOf(
  work: () => Promise<void>,
  explain: (error: unknown) => string | null,
): Promise<string | null> {
  return await withTimeLimit(
    refusalPatienceMs,
    work().then(() => null, explain),
    () => null,
  );
}

const sealedValuesTurn = { name: 'sealed values', pauseSeconds: 5 };
const noteSecretEveryMs = 60_000;

/**
 * Registers the secrets with the database, even if it was unreachable at the start, and reseals values that an older
 * secret sealed.
 */
function createSecretsSweep(
  db: Db,
  turns: Turns,
  { secrets, sweepIntervalSeconds }: Config,
  guard: SecretGuard,
): () => Promise<void> {
  let notedAt = -Infinity;
  return async () => {
    await guard.ensure();
    if (performance.now() - notedAt >= noteSecretEveryMs) {
      await noteSecretUse(db, secrets, sweepIntervalSeconds);
      notedAt = performance.now();
    }
    await turns.take(sealedValuesTurn, () => resealValues(db, secrets).then(() => null));
  };
}

const openCleanUpsTurn = { name: 'open clean-ups', pauseSeconds: 10 };
const lostOperationsTurn = { name: 'lost operations', pauseSeconds: 10 };
/** How many operations one turn checks, and how long they have made no progress. */
const quietOperations = { limit: 100, quietSeconds: 30 };
const closedRunsTurn = { name: 'closed runs', pauseSeconds: 10 };
const overdueCancelsTurn = { name: 'overdue cancels', pauseSeconds: 10 };
/** How many runs one turn checks individually, and how long they have been inactive. */
const quietRuns = { limit: 200, quietSeconds: 60 };

function runSweeps(
  db: Db,
  turns: Turns,
  clock: DatabaseClock,
  workflows: WorkflowClient,
  log: Logger,
): SweepTask[] {
  const runs = createRunReconciler(
    {
      stillProcessing: (refs) => stillProcessing(db, refs),
      leaseQuiet: () => leaseQuietRuns(db, quietRuns),
      overdueCancels: (afterSeconds) => listOverdueCancels(db, { limit: 100, afterSeconds }),
      end: (ref, error) => endRunFromOutside(db, ref, error),
      missing: async (ref) => (await restartMissingRun(db, ref)) !== null,
      known: (ref) => markRunKnown(db, ref),
      repaired: (kind, count) => countRepairs(db, kind, count),
    },
    workflows,
    log,
    () => clock.now(),
  );
  return [
    turns.task(closedRunsTurn, async (since) =>
      (await runs.settleClosed(since === null ? null : new Date(since))).toISOString(),
    ),
    lostRunsTask(turns, runs),
    turns.task(overdueCancelsTurn, () => runs.endOverdueCancels().then(() => null)),
  ];
}

const daySeconds = 24 * 60 * 60;

/** Change events are kept for a day. One turn removes at most 100,000 old ones, in batches. */
const oldEventsTurn = { name: 'old events', pauseSeconds: 60 };
const eventParts = { count: 20, limit: 5_000 };

async function removeEvents(db: Db): Promise<void> {
  await removeForeignEvents(db);
  for (let part = 0; part < eventParts.count; part += 1) {
    // One event fewer than the limit is removed, because the last one stays as a marker.
    const removed = await removeOldEvents(db, { ageSeconds: daySeconds, limit: eventParts.limit });
    if (removed < eventParts.limit - 1) break;
  }
}

/** One turn removes at most 100,000 old audit entries, in batches. */
const oldAuditTurn = { name: 'old audit entries', pauseSeconds: 600 };

async function removeAudit(db: Db): Promise<void> {
  for (let part = 0; part < eventParts.count; part += 1)
    if ((await removeOldAudit(db, eventParts.limit)) < eventParts.limit) break;
}

/** One turn removes at most 10,000 expired rows of each kind. */
const expiredRowsTurn = { name: 'expired rows', pauseSeconds: 10 };
const expiredPerTurn = 10_000;

async function removeExpired(db: Db): Promise<void> {
  await sweepIdempotencyKeys(db, expiredPerTurn);
  await sweepSessions(db, expiredPerTurn);
  await sweepLoginLinks(db);
  await removeOldOperations(db, expiredPerTurn);
}

/**
 * Scans the whole store once a day, in parts: at most 20,000 objects every 30 seconds. Each turn reads the names of all
 * resources if the store is a folder, so turns are few.
 */
const orphansTurn = {
  name: 'orphan objects',
  pauseSeconds: 30,
  longestPauseSeconds: daySeconds,
  leaseSeconds: 300,
};
const orphansPerTurn = 20_000;

async function removeOrphans(
  db: Db,
  clock: DatabaseClock,
  objectStore: ObjectStore,
  after: string | null,
  signal: AbortSignal,
): Promise<{ readonly position: string | null; readonly pauseSeconds?: number }> {
  // Until the first comparison, the clock is this process's own: if that is days ahead, every object looks old.
  await clock.compare();
  const before = new Date(clock.now() - daySeconds * 1000);
  const position = await sweepOrphans(db, objectStore, { after, limit: orphansPerTurn, before, signal });
  return { position, ...(position === null && { pauseSeconds: daySeconds }) };
}
