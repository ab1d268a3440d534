import { addAbortSignal, type Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

import { isObject, parseJson } from '@knowledge-warehouse/plugin/protocol';

/** A JSON-RPC 2.0 message, with the fields needed to forward it. */
export interface Message {
  readonly jsonrpc?: unknown;
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message?: unknown; readonly data?: unknown };
}

/** The code of errors outside the protocol: the service refuses the key, is overloaded or does not answer. */
export const refused = -32_000;

/** The content of a line: a message, or null if it cannot be parsed as one. */
export type Line = Message | null;

/** Reads messages from a stream, one per line, until it ends or fails or the signal aborts. */
export async function* readMessages(input: Readable, signal: AbortSignal): AsyncGenerator<Line> {
  for await (const line of readLines(addAbortSignal(signal, input)))
    if (line.trim() !== '') {
      const value = parseJson(line);
      yield isObject(value) ? value : null;
    }
}

/** Splits at line feeds only: JSON strings may contain U+2028 and U+2029, which end lines for `node:readline`. */
async function* readLines(input: Readable): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let unfinished = '';
  try {
    for await (const bytes of input as AsyncIterable<Buffer>) {
      const [first = '', ...next] = decoder.write(bytes).split('\n');
      unfinished += first;
      for (const begin of next) {
        yield unfinished;
        unfinished = begin;
      }
    }
  } catch {
    return;
  }
  yield unfinished + decoder.end();
}
