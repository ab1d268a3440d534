import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * Writes a stream to a temporary file and returns it open for reading. The file has no name any more when this
 * returns, so it goes away with its last reader, whatever happens to this process.
 */
export async function spool(input: Readable, signal: AbortSignal): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'kw-plugin-'));
  try {
    const path = join(folder, 'source');
    const writer = await open(path, 'wx', 0o600);
    const reader = await open(path, 'r').catch(async (error: unknown) => {
      await writer.close();
      throw error;
    });
    try {
      await pipeline(input, writer.createWriteStream(), { signal });
    } catch (error) {
      await reader.close();
      throw error;
    }
    return reader;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
