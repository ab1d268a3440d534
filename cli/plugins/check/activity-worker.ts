import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  checkActivityWorker,
  type Routing,
  type RuleResult,
} from '@knowledge-warehouse/plugin/conformance/activity';
import { CommandError, UsageError } from '../../exit.js';
import { readListen, readMaterials, type CheckFlags } from './read-flags.js';

/** The time limit for a worker to start, in milliseconds. */
const patienceMs = 60_000;

/** Checks an activity worker on the given Temporal, or on one started for it. */
export async function checkActivity(
  flags: CheckFlags,
  onRule: (name: string) => void,
): Promise<readonly RuleResult[]> {
  const routing = readRouting(flags);
  const materials = readMaterials(flags);
  const listen = readListen(flags.listen);
  const temporal = await openTemporal(flags);
  const workers: ChildProcess[] = [];
  let fail: (error: CommandError) => void = () => undefined;
  let isPolled = false;
  const workerFailed = new Promise<never>((_, reject) => (fail = reject));
  try {
    const results = checkActivityWorker({
      ...materials,
      timeoutMs: flags.timeout * 1000,
      patienceMs,
      listen,
      publicUrl: flags.publicUrl,
      ...temporal,
      routing,
      onReady(url) {
        const env = {
          KW_URL: url,
          KW_API_KEY: 'kw_check',
          TEMPORAL_ADDRESS: temporal.address,
          TEMPORAL_NAMESPACE: temporal.namespace,
        };
        workers.push(
          ...startWorker(flags.start, env, (error) => {
            // Afterwards, a rule may show what ended it.
            if (isPolled) process.stderr.write(`${error.message} The check continues.\n`);
            else fail(error);
          }),
        );
      },
      onRule(name) {
        isPolled = true;
        onRule(name);
      },
    });
    return await Promise.race([results, workerFailed]);
  } finally {
    await Promise.all(workers.map(stopWorker));
    await temporal.close();
  }
}

function readRouting({ taskQueue, activityType, pluginId, heartbeatSeconds }: CheckFlags): Routing | null {
  if (taskQueue === undefined && activityType === undefined) return null;
  if (taskQueue === undefined || activityType === undefined)
    throw new UsageError('Set --task-queue and --activity-type together.');
  const heartbeat = heartbeatSeconds ?? null;
  return { pluginId, taskQueue, activityType, heartbeatSeconds: heartbeat, cleanUpType: null };
}

type OpenTemporal = Pick<Parameters<typeof checkActivityWorker>[0], 'connection' | 'namespace'> & {
  readonly address: string;
  close(): Promise<void>;
};

async function openTemporal({ temporal, namespace }: CheckFlags): Promise<OpenTemporal> {
  const { NativeConnection, Runtime, DefaultLogger } = await import('@temporalio/worker');
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  const server = temporal === undefined ? await startServer() : null;
  const address = server?.address ?? temporal ?? '';
  try {
    const connection = await NativeConnection.connect({ address });
    const close = async (): Promise<void> => {
      await connection.close();
      await server?.stop();
    };
    return { connection, namespace, address, close };
  } catch (error) {
    await server?.stop();
    throw new CommandError(`Temporal cannot be reached at ${address} (${(error as Error).message}).`);
  }
}

async function startServer(): Promise<{ readonly address: string; stop(): Promise<void> }> {
  const { startDevServer } = await import('../../operations/dev-server.js');
  return await startDevServer((message) => process.stderr.write(`${message}\n`));
}

/** Starts the worker, or prints the settings to start it with. */
function startWorker(
  command: string | undefined,
  env: Readonly<Record<string, string>>,
  onFailure: (error: CommandError) => void,
): ChildProcess[] {
  const settings = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  if (command === undefined) {
    process.stderr.write(`Start the worker with ${settings.join(' ')}\n`);
    return [];
  }
  const worker = spawn(command, {
    shell: true,
    // Its own process group, which is stopped as a whole.
    detached: true,
    // oxlint-disable-next-line no-restricted-properties -- the worker gets what it would have in this terminal
    env: { ...process.env, ...env },
    stdio: ['ignore', 2, 2],
  });
  worker.on('error', () => undefined);
  // A command that succeeds may have started the worker in the background.
  worker.on('exit', (code, signal) => {
    if (code !== 0)
      onFailure(new CommandError(`The command of --start ended with ${signal ?? `code ${code}`}.`));
  });
  return [worker];
}

async function stopWorker(worker: ChildProcess): Promise<void> {
  if (worker.exitCode !== null || worker.signalCode !== null || worker.pid === undefined) return;
  const ended = once(worker, 'exit');
  const signal = (name: NodeJS.Signals): void => {
    try {
      process.kill(-(worker.pid ?? 0), name);
    } catch {
      // It has ended.
    }
  };
  signal('SIGTERM');
  const killing = setTimeout(() => signal('SIGKILL'), 10_000);
  await ended;
  clearTimeout(killing);
}
