import type { Readable } from 'node:stream';

/** The file descriptors of a child: 0 its tasks, 2 what it says when it dies, 3 the source, 4 its messages. */
export const sourceFd = 3;
export const messagesFd = 4;

/** What a parent writes to its child, one JSON text per line: a task, or a module to load before there is one. */
export interface ChildRequest {
  /** The address of a module that exports `task`, see `TaskModule`. */
  readonly module: string;
  /** Left out: only load the module. */
  readonly task?: { readonly request: unknown };
}

/** What a child writes to its parent, one JSON text per line. Every task ends with one message of another kind than the first two. */
export type ChildMessage =
  | { readonly kind: 'result'; readonly body: unknown }
  | { readonly kind: 'progress'; readonly fraction: number; readonly message: string }
  | TaskEnd;

/** How a task ended. */
export type TaskEnd =
  | { readonly kind: 'done'; readonly state: ChildState }
  | {
      readonly kind: 'failure';
      readonly code: string;
      readonly message: string;
      readonly retryable: boolean;
      readonly details?: Record<string, unknown>;
    }
  | { readonly kind: 'out-of-memory' }
  | { readonly kind: 'crash'; readonly message: string };

/** What a child is like after a task. */
export interface ChildState {
  readonly residentBytes: number;
  /** Of all its tasks. */
  readonly processorSeconds: number;
  /** Whether what all code shares, such as `Object.prototype`, is as it was before. */
  readonly isClean: boolean;
}

const lineEnd = 10;

/** Calls `onBytes` with the size of each piece of a stream as it comes, and `onLine` with each line. */
export function readLines(
  stream: Readable,
  onLine: (line: string) => void,
  onBytes: (count: number) => void = () => undefined,
): void {
  let parts: Buffer[] = [];
  stream.on('data', (data: Buffer) => {
    onBytes(data.length);
    let rest = data;
    for (let end = rest.indexOf(lineEnd); end >= 0; end = rest.indexOf(lineEnd)) {
      parts.push(rest.subarray(0, end));
      const line = Buffer.concat(parts).toString('utf8');
      parts = [];
      rest = rest.subarray(end + 1);
      onLine(line);
    }
    if (rest.length > 0) parts.push(rest);
  });
}
