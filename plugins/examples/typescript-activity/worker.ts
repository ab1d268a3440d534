import { runActivityWorker } from '@knowledge-warehouse/plugin';
import { plugin } from './plugin.js';

await runActivityWorker([plugin]);
