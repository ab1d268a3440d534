/** Bytes with random access. */
export interface ByteSource {
  readonly sizeBytes: number;
  /** Reads up to `length` bytes from `position`; fewer at the end. */
  read(position: number, length: number): Buffer;
}

export interface ChildSource extends ByteSource {
  /** Open for reading. Always pass `position`, since the file's own position is undefined. */
  readonly fd: number;
}

/** Takes a task's results. Both methods block until the parent has the message, and throw once the task has ended. */
export interface TaskOutput {
  /** Sends a part of the result, any JSON value. Parts arrive in order. */
  send(body: unknown): void;
  /** Reports progress from 0 to 1. */
  progress(fraction: number, message: string): void;
}

/** The export `task` of a module that `runInChild` runs in a child. It keeps no state between tasks. */
export interface Task {
  /** A thrown PluginFailure is thrown again in the parent. */
  run(request: unknown, source: ChildSource, output: TaskOutput): Promise<void> | void;
  /** Loads what most tasks need, in a new child. Its errors are ignored, since the task will fail with them again. */
  prepare?(): Promise<unknown>;
}

export interface TaskModule {
  readonly task: Task;
}

/** Whether an error means that memory ran out; V8 reports some such cases as a RangeError. */
export function isOutOfMemory(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as NodeJS.ErrnoException).code;
  return (
    code === 'ENOMEM' ||
    code === 'ERR_MEMORY_ALLOCATION_FAILED' ||
    /allocation failed|Invalid string length|Map maximum size|out of memory/i.test(error.message)
  );
}
