import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** A JSON-RPC 2.0 message, with the fields needed to forward it. */
export interface Message {
  readonly jsonrpc?: unknown;
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** The content of a line: a message, or null if it cannot be parsed as one. */
export type Line = Message | null;

/** Reads messages from a stream, one per line, until it ends or the signal aborts. */
export async function* readMessages(input: Readable, signal: AbortSignal): AsyncGenerator<Line> {
  const lines = createInterface({ input, crlfDelay: Infinity, signal });
  // An input error ends the stream.
  input.on('error', () => lines.close());
  for await (const line of lines) if (line.trim() !== '') yield parse(line);
}

function parse(line: string): Line {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
