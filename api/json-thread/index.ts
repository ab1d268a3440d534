import { Worker } from 'node:worker_threads';
import { compiledModule } from '../../core/compiled-module.js';
import { jobs, type Jobs } from './jobs.js';
import { fromPlain, type JobReply } from './messages.js';

/** Up to this many bytes or characters, processing JSON here is faster than in a thread. */
const mostHere = 16 * 1024;
/** Milliseconds. A job takes seconds at most, even on a busy machine. */
const patienceMs = 60_000;

/** Processes untrusted JSON that may take long: short texts immediately, others one at a time in a thread. */
export interface JsonThread {
  /** @param size The bytes or characters that the job processes. */
  run<Name extends keyof Jobs>(
    name: Name,
    size: number,
    ...args: Parameters<Jobs[Name]>
  ): Promise<ReturnType<Jobs[Name]>>;
}

/** The thread starts with its first job and does not keep the process alive. */
export function createJsonThread(): JsonThread {
  let thread: Worker | null = null;
  let last: Promise<unknown> = Promise.resolve();

  const start = (): Worker => {
    const started = new Worker(compiledModule('thread', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 768 },
    });
    // If an idle thread fails, the next job starts a new one.
    started.on('error', () => undefined);
    started.once('exit', () => (thread = thread === started ? null : thread));
    started.unref();
    return started;
  };

  const carryOut = async (name: keyof Jobs, args: readonly unknown[]): Promise<unknown> => {
    const worker = (thread ??= start());
    const reply = await new Promise<JobReply>((resolve) => {
      const end = (answer: JobReply): void => {
        clearTimeout(timer);
        worker.off('message', end).off('error', fail).off('exit', fail);
        resolve(answer);
      };
      const fail = (): void => {
        thread = null;
        void worker.terminate();
        end({ broken: `The JSON thread could not run ${name}.` });
      };
      const timer = setTimeout(fail, patienceMs);
      worker.on('message', end).once('error', fail).once('exit', fail).postMessage({ name, args });
    });
    if ('broken' in reply) throw new Error(reply.broken);
    if ('thrown' in reply) throw fromPlain(reply.thrown);
    return 'refusal' in reply ? { refusal: fromPlain(reply.refusal) } : reply.result;
  };

  return {
    async run(name, size, ...args) {
      const job: (...given: never) => unknown = jobs[name];
      if (size <= mostHere) return job(...(args as never)) as ReturnType<Jobs[typeof name]>;
      const done = last.then(() => carryOut(name, args));
      last = done.catch(() => undefined);
      return (await done) as ReturnType<Jobs[typeof name]>;
    },
  };
}
