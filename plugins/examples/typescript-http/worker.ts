import { runHttpWorker } from '@knowledge-warehouse/plugin';
import { plugin } from './plugin.js';

await runHttpWorker([plugin]);
