import type { Connection } from '@temporalio/client';
import { coreTaskQueue } from '../../../core/runs/run-protocol.js';
import type { TemporalConfig } from '../../../runtime/settings/config.js';
import { connectTemporal, describeNamespace } from '../../../runtime/temporal/connection.js';
import { explainTemporalError } from '../../../runtime/temporal/explain.js';
import { tryConnection } from '../../../runtime/temporal/try-connection.js';
import { reasonOf } from '../../../runtime/temporal/errors.js';
import { readTemporalClock } from '../../../runtime/temporal/server-clock.js';
import { readPollers } from '../../../runtime/temporal/pollers.js';
import { missingSearchAttributes } from '../../../runtime/temporal/search-attributes.js';
import { compareClock, unreadClock } from './clock.js';
import { about, type Finding } from './finding.js';

const temporal = about('Temporal');
const attributes = about('search attributes');
const workers = about('workers');

const oldestVersion = [1, 24] as const;
const shortestRetentionSeconds = 24 * 60 * 60;

/** A task queue and the plugin whose workers poll it; null: the service itself. */
export interface Queue {
  readonly name: string;
  readonly plugin: string | null;
}

/** The queue that every worker of the service polls first, then those of plugins. */
export function queuesOf(plugins: readonly { readonly id: string; readonly task_queue: string }[]): Queue[] {
  return [
    { name: coreTaskQueue, plugin: null },
    ...plugins.map(({ id, task_queue }) => ({ name: task_queue, plugin: id })),
  ];
}

/** Checks the connection, namespace, version, search attributes and pollers. */
export async function checkTemporal(config: TemporalConfig, queues: readonly Queue[]): Promise<Finding[]> {
  if (config.address === '')
    return [
      temporal.warn(
        'Not checked: TEMPORAL_ADDRESS is missing or wrong.',
        'Correct the settings named above.',
      ),
    ];
  const client = await connectTemporal(config);
  const { connection } = client;
  try {
    // gRPC would keep trying to connect until the deadline.
    const failure = await tryConnection(config);
    if (failure !== null) throw new Error(failure);
    const { retentionSeconds } = await describeNamespace(connection, config.namespace);
    const { finding, now } = await checkClock(connection, config.namespace);
    return [
      ...(await checkServer(connection, retentionSeconds)),
      finding,
      await checkAttributes(connection, config.namespace),
      ...(await checkPollers(connection, config.namespace, queues, now)),
    ];
  } catch (error) {
    const remedy =
      'Correct TEMPORAL_*, or the problem that the message names. While Temporal is down, API and worker retry.';
    return [temporal.fail(await explainTemporalError(error, config), remedy)];
  } finally {
    await client.close();
  }
}

async function checkServer(connection: Connection, retentionSeconds: number): Promise<Finding[]> {
  const { serverVersion } = await connection.workflowService.getSystemInfo({});
  const [major = 0, minor = 0] = serverVersion.split('.').map(Number);
  const isOld = major < oldestVersion[0] || (major === oldestVersion[0] && minor < oldestVersion[1]);
  const findings: Finding[] = [];
  if (/^\d/.test(serverVersion) && isOld)
    findings.push(
      temporal.fail(
        `Version ${serverVersion} is too old.`,
        `Upgrade it to ${oldestVersion.join('.')} or later.`,
      ),
    );
  if (retentionSeconds < shortestRetentionSeconds)
    findings.push(
      temporal.warn(
        `The namespace keeps closed runs for only ${retentionSeconds} s.`,
        'Set a retention of a few days, so that people can inspect failed runs.',
      ),
    );
  const days = Math.round(retentionSeconds / shortestRetentionSeconds);
  return findings.length > 0
    ? findings
    : [
        temporal.ok(
          `Version ${serverVersion || 'unknown'}, the namespace keeps closed runs for ${days} days.`,
        ),
      ];
}

async function checkAttributes(connection: Connection, namespace: string): Promise<Finding> {
  const remedy =
    'Run "kw migrate", or ask an administrator to add them (docs/operations.md, "Set it up", step 2).';
  try {
    const missing = await missingSearchAttributes(connection, namespace);
    return missing.length === 0
      ? attributes.ok('All are registered.')
      : attributes.warn(`Not registered: ${missing.join(', ')}. Runs start without them.`, remedy);
  } catch {
    return attributes.warn('No permission to list them.', remedy);
  }
}

/** Returns the finding about Temporal's clock, and Temporal's time, or ours if its clock cannot be read. */
async function checkClock(
  connection: Connection,
  namespace: string,
): Promise<{ readonly finding: Finding; readonly now: number }> {
  const from = Date.now();
  try {
    const time = await readTemporalClock(connection, namespace);
    if (time === null)
      return { finding: unreadClock('Temporal', 'Temporal recorded no poll'), now: Date.now() };
    const reading = { time: time.getTime(), from, to: Date.now() };
    return { finding: compareClock('Temporal', reading), now: reading.time };
  } catch (error) {
    return { finding: unreadClock('Temporal', reasonOf(error).replace(/\.$/, '')), now: Date.now() };
  }
}

async function checkPollers(
  connection: Connection,
  namespace: string,
  queues: readonly Queue[],
  now: number,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { name, plugin } of queues) {
    const { pollers } = await connection.withDeadline(Date.now() + 5_000, () =>
      readPollers(connection, namespace, name, () => now),
    );
    if (pollers === 0)
      findings.push(
        plugin === null
          ? workers.fail(`No worker polls the task queue ${name}.`, 'Start "kw worker".')
          : workers.warn(
              `No worker of the plugin ${plugin} polls the task queue ${name}: its steps wait.`,
              'Start its worker, or disable the plugin.',
            ),
      );
  }
  const all = queues.length === 1 ? 'The task queue is' : `All ${queues.length} task queues are`;
  return findings.length > 0 ? findings : [workers.ok(`${all} polled.`)];
}
