// The main program of a child process: executes tasks one after another until its parent is gone.
import { fstatSync, readSync, writeSync } from 'node:fs';
import { PluginFailure } from '@knowledge-warehouse/plugin/protocol';
import {
  messagesFd,
  readLines,
  sourceFd,
  type ChildMessage,
  type ChildRequest,
  type TaskEnd,
} from './child-messages.js';
import { isOutOfMemory, type ChildSource, type TaskModule, type TaskOutput } from './child-task.js';
import { sealIntrinsics } from './intrinsics.js';

// Signals to the service reach its whole process group. The parent decides when the child ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
const areIntrinsicsUntouched = sealIntrinsics();
// Resolves when the previous task has ended: tasks run one after another.
let previous: Promise<void> = Promise.resolve();
readLines(process.stdin, (line) => {
  previous = previous.then(() => serve(JSON.parse(line) as ChildRequest));
});
process.stdin.on('end', () => void previous.then(() => process.exit(0)));

async function serve({ module, task }: ChildRequest): Promise<void> {
  if (task === undefined)
    await load(module)
      .then((loaded) => loaded.task.prepare?.())
      .catch(() => undefined);
  else write(await carryOut(module, task.request));
}

const load = async (module: string): Promise<TaskModule> => (await import(module)) as TaskModule;

async function carryOut(module: string, request: unknown): Promise<TaskEnd> {
  let hasEnded = false;
  const send = (message: ChildMessage): void => {
    if (hasEnded) throw new Error('The task has ended.');
    write(message);
  };
  const output: TaskOutput = {
    send: (body) => send({ kind: 'result', body }),
    progress: (fraction, message) => send({ kind: 'progress', fraction, message }),
  };
  try {
    await (await load(module)).task.run(request, openSource(), output);
    const { user, system } = process.cpuUsage();
    const state = {
      residentBytes: process.memoryUsage.rss(),
      processorSeconds: (user + system) / 1e6,
      isClean: areIntrinsicsUntouched(),
    };
    return { kind: 'done', state };
  } catch (error) {
    return describe(error);
  } finally {
    hasEnded = true;
  }
}

function openSource(): ChildSource {
  const sizeBytes = fstatSync(sourceFd).size;
  const read = (position: number, length: number): Buffer => {
    const buffer = Buffer.alloc(Math.max(0, Math.min(length, sizeBytes - position)));
    let filled = 0;
    while (filled < buffer.length) {
      const count = readSync(sourceFd, buffer, filled, buffer.length - filled, position + filled);
      if (count === 0) break;
      filled += count;
    }
    return buffer.subarray(0, filled);
  };
  return { fd: sourceFd, sizeBytes, read };
}

/** Blocks until the parent has received the message, so that a child never buffers more than one. */
function write(message: ChildMessage): void {
  const bytes = Buffer.from(`${JSON.stringify(message)}\n`);
  for (let sent = 0; sent < bytes.length;) sent += writeSync(messagesFd, bytes, sent);
}

function describe(error: unknown): TaskEnd {
  if (error instanceof PluginFailure) {
    const { retryable = true, details } = error.options;
    const { code, message } = error;
    return { kind: 'failure', code, message, retryable, ...(details && { details }) };
  }
  if (isOutOfMemory(error)) return { kind: 'out-of-memory' };
  return {
    kind: 'crash',
    message: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
  };
}
