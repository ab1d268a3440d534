import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { toolsFolder } from '../../../test/support/servers/tools-folder.js';

/** A public file and its expected hash. */
export interface Pinned {
  readonly url: string;
  readonly sha256: string;
}

/** Returns the path of a file in the user's cache folder, and downloads it if it is missing. */
export async function downloaded({ url, sha256 }: Pinned, say: (text: string) => void): Promise<string> {
  const path = join(cacheFolder(), basename(url));
  if (existsSync(path) && sha256Of(readFileSync(path)) === sha256) return path;
  say(`downloading ${url}`);
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url} returned ${answer.status}.`);
  const content = Buffer.from(await answer.arrayBuffer());
  checkHash(url, content, sha256);
  writeWhole(path, content);
  return path;
}

export function cacheFolder(): string {
  const folder = join(toolsFolder(), 'bench');
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Writes a file atomically. */
export function writeWhole(path: string, content: Buffer): void {
  const scratch = mkdtempSync(`${path}-`);
  try {
    writeFileSync(join(scratch, 'file'), content);
    renameSync(join(scratch, 'file'), path);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Throws if a content does not have the expected hash. */
export function checkHash(name: string, content: Buffer, sha256: string): void {
  const found = sha256Of(content);
  if (found !== sha256) throw new Error(`${name} has the SHA-256 ${found} instead of ${sha256}.`);
}

const sha256Of = (content: Buffer): string => createHash('sha256').update(content).digest('hex');
