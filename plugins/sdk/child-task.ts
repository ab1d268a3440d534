import { fstatSync, readSync, writeSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { messagesFd, sourceFd, type ChildMessage } from './child-messages.js';
import { PluginFailure } from './define-plugin.js';

/** Bytes that are read where they are wanted. */
export interface ByteSource {
  readonly sizeBytes: number;
  /** At most `length` bytes from `position` on; fewer where they end. */
  read(position: number, length: number): Buffer;
}

/** The bytes a child works on. */
export interface ChildSource extends ByteSource {
  /** Open for reading; `position` must be given, since the file's own position is not kept. */
  readonly fd: number;
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

/** Blocks until the parent has taken it: a child never holds more than one message that is not yet sent. */
function write(message: ChildMessage): void {
  const bytes = Buffer.from(`${JSON.stringify(message)}\n`);
  for (let sent = 0; sent < bytes.length;) sent += writeSync(messagesFd, bytes, sent);
}

/** Signals meant for the service reach its whole process group: the parent decides what becomes of the child. */
function leaveSignalsToParent(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
}

function describe(error: unknown): ChildMessage {
  if (error instanceof PluginFailure) {
    const { retryable = true, details } = error.options;
    return {
      kind: 'failure',
      code: error.code,
      message: error.message,
      retryable,
      ...(details && { details }),
    };
  }
  if (isOutOfMemory(error)) return { kind: 'out-of-memory' };
  return {
    kind: 'crash',
    message: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
  };
}

/** Whether an error says that memory could not be had; V8 reports some such cases as a RangeError. */
export function isOutOfMemory(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as NodeJS.ErrnoException).code;
  return (
    code === 'ENOMEM' ||
    code === 'ERR_MEMORY_ALLOCATION_FAILED' ||
    /allocation failed|Invalid string length|Map maximum size|out of memory/i.test(error.message)
  );
}

/**
 * The body of a module that `runInChild` starts: runs `task` once with what the parent asked for and ends the
 * process. What `task` sends arrives at the parent in order. A PluginFailure it throws is thrown again in the parent.
 *
 * @param prepare Loads what the task will need, of the kind that the parent named, while it is not asked yet; `isIdle`
 *   says whether that still is so. What it throws is left to the task to meet again.
 */
export async function serveTask(
  task: (request: unknown, source: ChildSource, send: (body: unknown) => void) => Promise<void> | void,
  prepare?: (preparation: string, isIdle: () => boolean) => Promise<void>,
): Promise<never> {
  leaveSignalsToParent();
  try {
    const asked = text(process.stdin);
    let idle = true;
    void asked.finally(() => (idle = false)).catch(() => undefined);
    prepare?.(process.argv[2] ?? '', () => idle).catch(() => undefined);
    const request = await asked;
    // The parent has no task for this process any more, or is gone.
    if (request === '') process.exit(0);
    await task(JSON.parse(request) as unknown, openSource(), (body) => write({ kind: 'message', body }));
    write({ kind: 'done' });
  } catch (error) {
    write(describe(error));
  }
  process.exit(0);
}
