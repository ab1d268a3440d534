import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { compress, type Compressed } from '../compressed.js';

export interface Asset extends Compressed {
  readonly type: string;
}

/** The files that the page loads. */
export interface Assets {
  /** Changes whenever one of the files does. */
  readonly version: string;
  readonly files: ReadonlyMap<string, Asset>;
}

const { resolve } = createRequire(import.meta.url);
const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

/** Reads the files: ours from browser/, and Swagger UI from dist/bundled, where the build copies it. */
export function readAssets(): Assets {
  const own = (name: string): URL => new URL(`./browser/${name}`, import.meta.url);
  const sources = {
    'start.js': own('start.js'),
    'style.css': own('style.css'),
    'swagger-ui-bundle.js': resolve('#bundled/swagger-ui-bundle.js'),
    'swagger-ui.css': resolve('#bundled/swagger-ui.css'),
  };
  const files = new Map<string, Asset>();
  const hash = createHash('sha256');
  for (const [name, source] of Object.entries(sources)) {
    const asset = compress(readFileSync(source));
    files.set(name, { ...asset, type: types[name.split('.').at(-1) ?? ''] ?? '' });
    hash.update(`${name} ${asset.hash}\n`);
  }
  return { version: hash.digest('hex').slice(0, 16), files };
}
