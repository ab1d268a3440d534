import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { registerSearchAttributes } from '../../../runtime/temporal/search-attributes.js';
import { connectTemporal, temporalReachable } from '../../../runtime/temporal/connection.js';
import { findTemporal } from '../../../runtime/embedded/temporal/binary.js';
import { atExit } from '../at-exit.js';
import { eventually } from '../eventually.js';
import { reservePort } from './ports.js';
import { temporaryFolder } from '../temporary.js';

/** A suite's own Temporal server that counts its requests. */
export interface CountedTemporal {
  readonly address: string;
  /** Returns the requests of clients and workers so far, by method, without long polls for work. */
  calls(): Promise<Readonly<Record<string, number>>>;
  stop(): Promise<void>;
}

const line = /^service_requests\{namespace="default",operation="(\w+)",service_name="frontend"\} (\d+)$/gm;

export async function startCountedTemporal(): Promise<CountedTemporal> {
  const binary = await findTemporal(process.env, () => undefined, new AbortController().signal);
  const [port, metricsPort] = [await reservePort(), await reservePort()];
  const args = ['server', 'start-dev', '--headless', '--ip=127.0.0.1', '--log-level=error'];
  const child = spawn(binary, [...args, `--port=${port}`, `--metrics-port=${metricsPort}`], {
    stdio: 'ignore',
    env: { HOME: temporaryFolder() },
  });
  atExit(() => child.kill('SIGKILL'));
  const address = `127.0.0.1:${port}`;
  const config = { address, namespace: 'default', apiKey: null, tls: null, uiUrl: null };
  const temporal = await connectTemporal(config);
  await eventually(() => temporalReachable(temporal.connection, 'default'));
  await registerSearchAttributes(temporal.connection, 'default');
  await temporal.close();
  return {
    address,
    async calls() {
      const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      const counted = [...metrics.matchAll(line)].map(
        ([, method, count]) => [method!, Number(count)] as const,
      );
      return Object.fromEntries(counted.filter(([method]) => !method.startsWith('Poll')));
    },
    async stop() {
      if (child.exitCode === null && child.kill()) await once(child, 'exit');
    },
  };
}
