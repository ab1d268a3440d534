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

/** Where a task's results go. Both wait until the parent has taken what they send, and throw once the task has ended. */
export interface TaskOutput {
  /** Sends a part of the result, anything JSON can hold. Parts arrive in order. */
  send(body: unknown): void;
  /** Says how far the task is, from 0 to 1. */
  progress(fraction: number, message: string): void;
}

/** What a module that `runInChild` has a child run exports as `task`. It keeps nothing of one task for the next. */
export interface Task {
  /** A PluginFailure it throws is thrown again in the parent. */
  run(request: unknown, source: ChildSource, output: TaskOutput): Promise<void> | void;
  /** Loads what most tasks need, in a child that has none yet. What it throws is left to the task to meet again. */
  prepare?(): Promise<unknown>;
}

export interface TaskModule {
  readonly task: Task;
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
