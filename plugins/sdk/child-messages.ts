import type { Readable } from 'node:stream';

/** The file descriptors of a child: 0 the request, 2 what it says when it dies, 3 the source, 4 its messages. */
export const sourceFd = 3;
export const messagesFd = 4;

/** What a child writes to its parent, one JSON text per line. */
export type ChildMessage =
  | { readonly kind: 'message'; readonly body: unknown }
  | {
      readonly kind: 'failure';
      readonly code: string;
      readonly message: string;
      readonly retryable: boolean;
      readonly details?: Record<string, unknown>;
    }
  | { readonly kind: 'out-of-memory' }
  | { readonly kind: 'crash'; readonly message: string }
  | { readonly kind: 'done' };

export class OutputLimitExceeded extends Error {
  override readonly name = 'OutputLimitExceeded';
}

/** Calls `onMessage` for each line of a stream. Throws OutputLimitExceeded past `limitBytes`. */
export async function readMessages(
  stream: Readable,
  limitBytes: number,
  onMessage: (message: ChildMessage) => void,
): Promise<void> {
  let total = 0;
  let parts: Buffer[] = [];
  for await (const data of stream) {
    let rest = data as Buffer;
    total += rest.length;
    if (total > limitBytes) throw new OutputLimitExceeded(`More than ${limitBytes} bytes`);
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      parts.push(rest.subarray(0, end));
      onMessage(JSON.parse(Buffer.concat(parts).toString('utf8')) as ChildMessage);
      parts = [];
      rest = rest.subarray(end + 1);
    }
    if (rest.length > 0) parts.push(rest);
  }
}
