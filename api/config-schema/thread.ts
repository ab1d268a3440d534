import { parentPort, workerData } from 'node:worker_threads';
import { checkConfig } from './check.js';

const { schema, config } = workerData as { readonly schema: string; readonly config: string };

for (const message of checkConfig(schema, config)) parentPort?.postMessage(message);
