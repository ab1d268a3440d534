import type { Bench } from '../kit/figure.js';
import { burst } from './burst.js';
import { callback } from './callback.js';
import { engine, engineBuiltIn } from './engine.js';
import { extract } from './extract.js';
import { history } from './history.js';
import { httpPipeline } from './http-pipeline.js';
import { ingest } from './ingest.js';
import { latency } from './latency.js';
import { list } from './list.js';
import { quality } from './quality.js';
import { operations } from './operations.js';
import { read } from './read.js';
import { recall } from './recall.js';
import { scaleOut } from './scale-out.js';
import { search } from './search.js';
import { start } from './start.js';
import { upload } from './upload.js';

/** All benches in the order in which they run. */
export const benches: readonly Bench[] = [
  ingest,
  engine,
  engineBuiltIn,
  latency,
  callback,
  httpPipeline,
  read,
  operations,
  list,
  search,
  quality,
  upload,
  burst,
  history,
  start,
  extract,
  recall,
  scaleOut,
];
