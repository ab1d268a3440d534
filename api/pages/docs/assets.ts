import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { compress, type Compressed } from '../compressed.js';

export interface Asset extends Compressed {
  readonly type: string;
}

/** The files that the page loads, as they lie in browser/: they are served as they are written. */
export interface Assets {
  /** Changes when one of them does. They name each other, so the folder has the hash and not each file. */
  readonly version: string;
  readonly files: ReadonlyMap<string, Asset>;
}

const folder = new URL('./browser/', import.meta.url);
const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

/** Reads them. */
export function readAssets(): Assets {
  const files = new Map<string, Asset>();
  const hash = createHash('sha256');
  for (const name of readdirSync(folder).sort()) {
    const type = types[name.split('.').at(-1) ?? ''];
    if (type === undefined) continue;
    const asset = compress(readFileSync(new URL(name, folder)));
    files.set(name, { ...asset, type });
    hash.update(`${name} ${asset.hash}\n`);
  }
  return { version: hash.digest('hex').slice(0, 16), files };
}
