import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** A child's input, in a file without a name: it disappears with its last reader, even if this process crashes. */
export interface Spool {
  /** The descriptor to read from. */
  readonly fd: number;
  /** Replaces its content with a stream's. Throws the stream's error or the signal's reason. */
  fill(input: Readable, signal: AbortSignal): Promise<void>;
  empty(): Promise<void>;
  close(): Promise<void>;
}

export async function openSpool(): Promise<Spool> {
  const folder = await mkdtemp(join(tmpdir(), 'kw-plugin-'));
  try {
    const path = join(folder, 'source');
    const writer = await open(path, 'wx', 0o600);
    const reader = await open(path, 'r').catch(async (error: unknown) => {
      await writer.close();
      throw error;
    });
    return spoolOf(writer, reader);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function spoolOf(writer: FileHandle, reader: FileHandle): Spool {
  const empty = (): Promise<void> => writer.truncate(0);
  return {
    fd: reader.fd,
    empty,
    fill: async (input, signal) => {
      await empty();
      await pipeline(
        input,
        async (pieces: AsyncIterable<Uint8Array | string>) => {
          let position = 0;
          for await (const piece of pieces) {
            const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
            for (let at = 0; at < bytes.length;) {
              const { bytesWritten } = await writer.write(bytes, at, bytes.length - at, position);
              at += bytesWritten;
              position += bytesWritten;
            }
          }
        },
        { signal },
      );
    },
    close: async () => {
      await Promise.all([writer.close(), reader.close()]);
    },
  };
}
