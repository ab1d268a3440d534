import { parentPort } from 'node:worker_threads';
import { messageOf, ServiceError } from '../../core/errors.js';
import { jobs } from './jobs.js';
import { toPlain, type JobReply } from './messages.js';

/** One job of this thread: its name in `jobs` and its arguments. */
interface Job {
  readonly name: keyof typeof jobs;
  readonly args: readonly unknown[];
}

parentPort?.on('message', (job: Job) => parentPort?.postMessage(carryOut(job)));

function carryOut({ name, args }: Job): JobReply {
  try {
    const result = (jobs[name] as (...given: readonly unknown[]) => unknown)(...args);
    const { refusal } = Object(result) as { refusal?: unknown };
    return refusal instanceof ServiceError ? { refusal: toPlain(refusal) } : { result };
  } catch (error) {
    return error instanceof ServiceError ? { thrown: toPlain(error) } : { broken: messageOf(error) };
  }
}
