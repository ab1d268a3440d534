import { parentPort, workerData } from 'node:worker_threads';
import { checkConfig } from './check.js';

const { schema, config } = workerData as { readonly schema: string; readonly config: string };

parentPort?.postMessage(checkConfig(schema, config));
