import type { Bench } from '../kit/figure.js';
import { engine, engineBuiltIn } from './engine.js';
import { latency } from './latency.js';

/** All of them, in the order in which they are run. */
export const benches: readonly Bench[] = [engine, engineBuiltIn, latency];
