import { isUtf8 } from 'node:buffer';
import { readdirSync, statSync, type Dirent } from 'node:fs';
import { join } from 'node:path';

/** A file or folder: its path for messages, and the path to open, which may contain bytes that are not UTF-8. */
export interface Found {
  readonly path: string;
  readonly opened: string | Buffer;
}

/**
 * Returns the files below a folder, sorted by name. Omits hidden files without a note; omits empty files, links to
 * folders or to nothing, pipes, sockets and devices with a note.
 */
export function filesBelow(folder: Found, note: (text: string) => void): Found[] {
  let all: Dirent<Buffer>[];
  try {
    all = readdirSync(folder.opened, { withFileTypes: true, encoding: 'buffer' });
  } catch {
    // Opening it as a file fails, too, and that is reported.
    return [folder];
  }
  const entries = all
    .map((entry) => ({ entry, name: entry.name.toString() }))
    .filter(({ name }) => !name.startsWith('.'))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  return entries.flatMap(({ entry }) => {
    const found = within(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(found, note);
    const reason = reasonToSkip(found, entry);
    if (reason !== null) {
      note(`${found.path}: skipped, because it is ${reason}`);
      return [];
    }
    if (!isUtf8(entry.name))
      note(`${found.path}: its name is not UTF-8; "\ufffd" replaces the invalid bytes`);
    return [found];
  });
}

function within(folder: Found, name: Buffer): Found {
  const path = join(folder.path, name.toString());
  if (typeof folder.opened === 'string' && isUtf8(name)) return { path, opened: path };
  return { path, opened: Buffer.concat([Buffer.from(folder.opened), Buffer.from('/'), name]) };
}

/** Returns what the entry is instead of a file with content; null for a file, also one that cannot be read. */
function reasonToSkip({ opened }: Found, entry: Dirent<Buffer>): string | null {
  const isLink = entry.isSymbolicLink();
  if (!entry.isFile() && !isLink) return 'neither a file nor a folder';
  try {
    const stats = statSync(opened, { throwIfNoEntry: false });
    if (stats === undefined) return isLink ? 'a broken link' : 'no longer there';
    if (stats.isDirectory()) return 'a link to a folder';
    if (!stats.isFile()) return 'neither a file nor a folder';
    return stats.size === 0 ? 'empty' : null;
  } catch {
    return null;
  }
}
