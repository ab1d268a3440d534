import type { Readable } from 'node:stream';

/** The file descriptors of a child: 0 tasks, 2 error output, 3 the source, 4 messages. */
export const sourceFd = 3;
export const messagesFd = 4;

/** A parent's message to its child, one JSON text per line: a task, or a module to load in advance. */
export interface ChildRequest {
  /** The URL of a module that exports `task`, see `TaskModule`. */
  readonly module: string;
  /** Omitted to only load the module. */
  readonly task?: { readonly request: unknown };
}

/** A child's message, one JSON text per line. Every task ends with one that is neither of the first two kinds. */
export type ChildMessage =
  | { readonly kind: 'result'; readonly body: unknown }
  | { readonly kind: 'progress'; readonly fraction: number; readonly message: string }
  | TaskEnd;

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

export interface ChildState {
  readonly residentBytes: number;
  /** Total of all its tasks. */
  readonly processorSeconds: number;
  /** Whether shared objects such as `Object.prototype` are unchanged. */
  readonly isClean: boolean;
}

const lineEnd = 10;

/** Calls `onBytes` with the size of each piece of a stream as it arrives, and `onLine` with each line. */
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
