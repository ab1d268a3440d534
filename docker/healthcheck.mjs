// Health check of a container. Exits with code 0 if the process works.
//
//     node docker/healthcheck.mjs            checks process 1
//     node docker/healthcheck.mjs --of PID   checks another process
//
// Requests /health/ready from the API or a worker. Other commands of `kw` run once and end by themselves.
import { readFileSync } from 'node:fs';

import { loadConfig, readEnvironment } from '../dist/runtime/settings/config.js';
import { splitAddress } from '../dist/runtime/metrics/server.js';

const timeoutMs = 8000;

/** The command of a process: its first word that is a command of kw. An init process has the words of its child. */
function commandOf(pid) {
  const commands = ['serve', 'worker', 'start', 'migrate', 'verify', 'doctor', 'keys'];
  const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  return words.find((word) => commands.includes(word)) ?? null;
}

function addressOf(command) {
  const config = loadConfig(readEnvironment(), command === 'serve' ? 'api' : command);
  if (command !== 'worker') return { host: config.host, port: config.port };
  if (config.workerHealthAddress !== null) return splitAddress(config.workerHealthAddress);
  throw new Error('KW_WORKER_HEALTH_ADDRESS is not set, so the worker cannot be checked.');
}

async function check(command) {
  if (!['serve', 'worker', 'start'].includes(command)) return;
  const { host, port } = addressOf(command);
  const reached = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host;
  const url = `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}/health/ready`;
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
}

const [option, pid = '1'] = process.argv.slice(2);
try {
  await check(commandOf(option === '--of' ? pid : '1'));
  process.exit(0);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
