import { connectDatabase, type Db } from '../storage/database.js';
import { forgetDiscarded, listDiscarded } from '../storage/discarded-objects.js';
import { createObjectStore, type ObjectStore } from '../storage/object-store/index.js';
import { sweepIdempotencyKeys } from '../storage/idempotency-keys.js';
import { leaseMessages, postponeMessage, removeMessage } from '../storage/outbox.js';
import { readRunStart } from '../storage/run-starts.js';
import { leaseSignals, signalSent } from '../storage/runs.js';
import {
  endRunFromOutside,
  leaseUncheckedRuns,
  restartMissingRun,
} from '../storage/transitions/reconcile.js';
import { listSilentAttempts, settleSilentAttempt } from '../storage/transitions/lost-workers.js';
import { reprocessResource } from '../storage/transitions/resource-requests.js';
import { discardUnusedUploads } from '../storage/uploads.js';
import { ServiceError } from '../core/errors.js';
import type { Config } from './config.js';
import { createLogger, type Logger } from './logging.js';
import { createFetch, type OutgoingFetch } from './outgoing/index.js';
import { createOutboxSender, type OutboxSender } from './outbox-sender.js';
import type { SweepTask } from './sweeper.js';
import { connectTemporal } from './temporal.js';
import { createWorkflowClient, type WorkflowClient } from './workflow-client.js';

/** What a process works with, made once and passed on. */
export interface Deps {
  readonly config: Config;
  readonly log: Logger;
  readonly db: Db;
  readonly objectStore: ObjectStore;
  readonly workflows: WorkflowClient;
  readonly outbox: OutboxSender;
  /** What plugins inside this process call other servers with. */
  readonly pluginFetch: OutgoingFetch;
  /** What is to be done again and again by every process that has these dependencies. */
  readonly sweeps: readonly SweepTask[];
  close(): Promise<void>;
}

// What a killed process had taken is free again after this; a call that takes longer is made twice, which is harmless.
const leaseSeconds = 10;

/** Makes the dependencies of a process. Nothing is connected yet: a process starts while what it needs is down. */
export async function createDeps(config: Config, processName: string): Promise<Deps> {
  const log = createLogger(config, { process: processName });
  const db = connectDatabase(config.databaseUrl, { poolSize: config.databasePoolSize });
  const objectStore = createObjectStore({ s3: config.s3, directory: config.objectDirectory });
  const temporal = await connectTemporal(config.temporal);
  const workflows = createWorkflowClient({
    client: temporal.client,
    connection: temporal.connection,
    namespace: config.temporal.namespace,
    publicUrl: config.publicUrl,
    warn: (message) => log.warn(message),
  });
  const outbox = createOutboxSender(
    {
      lease: (options) => leaseMessages(db, { ...options, leaseSeconds }),
      remove: (id) => removeMessage(db, id),
      postpone: (message, error) => postponeMessage(db, message, error),
      readStart: (resourceId, run) => readRunStart(db, resourceId, run),
      reprocess: async (resourceId) => {
        try {
          outbox.sendSoon((await reprocessResource(db, resourceId, null)).message);
        } catch (error) {
          // Deleted, being processed or without a pipeline by now: nothing is left to do.
          if (!(error instanceof ServiceError)) throw error;
        }
      },
    },
    workflows,
    log,
  );
  const sweeps: SweepTask[] = [
    { name: 'outbox', run: () => outbox.sweep() },
    { name: 'silent workers', run: () => settleSilentAttempts(db, log) },
    { name: 'report signals', run: () => sendDueSignals(db, workflows) },
    { name: 'runs that ended unseen', run: () => reconcileRuns(db, workflows, log) },
    { name: 'unused uploads', run: () => discardUnusedUploads(db, 500) },
    { name: 'idempotency keys', run: () => sweepIdempotencyKeys(db, 1000) },
    { name: 'discarded objects', run: () => removeDiscarded(db, objectStore) },
  ];
  return {
    config,
    log,
    db,
    objectStore,
    workflows,
    outbox,
    pluginFetch: createFetch({ allow: config.pluginHosts }),
    sweeps,
    async close() {
      await outbox.idle();
      await Promise.allSettled([db.destroy(), temporal.close()]);
      objectStore.close();
    },
  };
}

async function settleSilentAttempts(db: Db, log: Logger): Promise<void> {
  for (const ref of await listSilentAttempts(db, 100)) {
    if (await settleSilentAttempt(db, ref))
      log.warn(
        { resource_id: ref.resourceId, run: ref.run, step: ref.stepIndex, attempt: ref.attempt },
        'a worker fell silent',
      );
  }
}

async function sendDueSignals(db: Db, workflows: WorkflowClient): Promise<void> {
  for (const signal of await leaseSignals(db, { limit: 100, leaseSeconds })) {
    await workflows.signalReport(signal.resource_id, signal.run, {
      index: signal.step_index,
      attempt: signal.number,
    });
    await signalSent(db, signal);
  }
}

/** What became of a workflow from outside, as the resource's error. */
const endedOutside = {
  TERMINATED: ['WORKFLOW_TERMINATED', 'The workflow of this run was terminated.'],
  TIMED_OUT: ['WORKFLOW_TIMED_OUT', 'The workflow of this run timed out.'],
  ENDED: ['WORKFLOW_FAILED', 'The workflow of this run ended before the run did.'],
} as const;

async function reconcileRuns(db: Db, workflows: WorkflowClient, log: Logger): Promise<void> {
  const runs = await leaseUncheckedRuns(db, { limit: 25, everySeconds: 20 });
  await Promise.all(
    runs.map(async ({ resource_id, run }) => {
      const status = await workflows.runStatus(resource_id, run);
      if (status === 'OPEN') return;
      if (status === 'UNKNOWN') {
        const message = await restartMissingRun(db, resource_id, run);
        if (message !== null)
          log.warn({ resource_id, run, outbox_id: message }, 'a lost run is started again');
        return;
      }
      const [code, message] = endedOutside[status];
      if (await endRunFromOutside(db, resource_id, run, { code, message })) {
        log.warn({ resource_id, run, code }, 'a run had ended unseen');
      }
    }),
  );
}

async function removeDiscarded(db: Db, objectStore: ObjectStore): Promise<void> {
  const keys = await listDiscarded(db, 500);
  if (keys.length === 0) return;
  await objectStore.delete(keys);
  await forgetDiscarded(db, keys);
}
