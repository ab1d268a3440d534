import { parentPort, workerData } from 'node:worker_threads';
import { checkConfig } from './check.js';

const { schema, config } = workerData as { readonly schema: string; readonly config: string };

parentPort?.postMessage({ ready: true });
for (const message of checkConfig(schema, config)) parentPort?.postMessage(message);
