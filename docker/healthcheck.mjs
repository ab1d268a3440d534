// Health check of a container: exit code 0 when the process it runs does its work.
// "api": it answers, and so do the database, Temporal and the object store. "worker": it asks Temporal for work.
import { hostname } from 'node:os';

import { loadConfig, readEnvironment } from '../dist/runtime/settings/config.js';

const timeoutMs = 8000;

/** A worker asks for work at least once a minute. */
const lastSeenMs = 120_000;

async function api() {
  const { port } = loadConfig(readEnvironment(), 'api');
  const response = await fetch(`http://127.0.0.1:${port}/health/ready`, {
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
}

async function worker() {
  const { coreTaskQueue } = await import('../dist/core/run-protocol.js');
  const { connectTemporal } = await import('../dist/runtime/temporal/connection.js');
  const { temporal } = loadConfig(readEnvironment(), 'worker');
  const { connection } = await connectTemporal(temporal);
  const { pollers } = await connection.withDeadline(Date.now() + timeoutMs, () =>
    connection.workflowService.describeTaskQueue({
      namespace: temporal.namespace,
      taskQueue: { name: coreTaskQueue },
      taskQueueType: 1, // TASK_QUEUE_TYPE_WORKFLOW
    }),
  );
  // A worker calls itself pid@host, and the host is this container.
  const ours = pollers.filter(({ identity }) => identity?.endsWith(`@${hostname()}`));
  const seen = ours.map(({ lastAccessTime }) => Number(lastAccessTime?.seconds ?? 0) * 1000);
  if (!seen.some((time) => Date.now() - time < lastSeenMs))
    throw new Error('it does not ask Temporal for work');
}

const checks = { api, worker };

try {
  await checks[process.argv[2] ?? 'api']();
  process.exit(0);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
