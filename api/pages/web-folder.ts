import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join, sep } from 'node:path';

/** A file of the web page. */
export interface WebFile {
  /** The file extension with the dot, which determines the media type. */
  readonly extension: string;
  /** The bytes and entity tag of each available content coding. */
  readonly codings: Readonly<Partial<Record<'identity' | 'br' | 'gzip', WebBytes>>> & {
    readonly identity: WebBytes;
  };
}

export interface WebBytes {
  readonly bytes: Buffer;
  readonly etag: string;
}

/** The output of the web build. */
export interface WebFolder {
  /** index.html, with `__CSP_NONCE__` in place of nonces, `__BASE_PATH__`, and paths that begin with `./`. */
  readonly index: string;
  /** The other files, by their path from the root. */
  readonly files: ReadonlyMap<string, WebFile>;
}

/**
 * Reads a folder recursively; returns null if it contains no page. The files are few, a few hundred kilobytes at most,
 * and stay in memory, so each path either matches a file or nothing.
 */
export function readWebFolder(folder: string): WebFolder | null {
  const index = join(folder, 'index.html');
  if (!existsSync(index)) return null;
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => !name.split(sep).some((part) => part.startsWith('.')) && statSync(join(folder, name)).isFile(),
  );
  const known = new Set(names);
  const isFile = (name: string): boolean =>
    name !== 'index.html' && !(/\.(br|gz)$/.test(name) && known.has(name.replace(/\.(br|gz)$/, '')));
  const files = names
    .filter(isFile)
    .map(
      (name) =>
        [`/${name.split(sep).map(encodeURIComponent).join('/')}`, readFile(folder, name, known)] as const,
    );
  return { index: readFileSync(index, 'utf8'), files: new Map(files) };
}

function readFile(folder: string, name: string, known: ReadonlySet<string>): WebFile {
  const read = (path: string): WebBytes => {
    const bytes = readFileSync(join(folder, path));
    return { bytes, etag: tagOf(bytes) };
  };
  return {
    extension: extname(name),
    codings: {
      identity: read(name),
      ...(known.has(`${name}.br`) && { br: read(`${name}.br`) }),
      ...(known.has(`${name}.gz`) && { gzip: read(`${name}.gz`) }),
    },
  };
}

/** Returns a strong entity tag of some content. */
export function tagOf(content: Buffer | string): string {
  return `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
}
