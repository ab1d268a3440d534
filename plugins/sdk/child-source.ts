import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** The bytes a child works on, in a file without a name: it goes away with its last reader, whatever happens to this process. */
export interface Spool {
  /** The descriptor to read from. */
  readonly fd: number;
  /** Writes a stream to it. Throws what the stream fails with, and the signal's reason. */
  fill(input: Readable, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** Makes an empty one. */
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
  return {
    fd: reader.fd,
    fill: (input, signal) => pipeline(input, writer.createWriteStream(), { signal }),
    close: async () => {
      // Closing the writer again, after its stream did, does nothing.
      await Promise.all([writer.close(), reader.close()]);
    },
  };
}
