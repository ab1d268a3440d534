// Builds the page in web/ into dist/web, and writes compressed copies of compressible files. Does nothing if nothing
// changed.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

import { stampOf } from './build-packages.mjs';

const top = join(import.meta.dirname, '..');
const output = join(top, 'dist/web');
const stampFile = join(top, 'dist/.web-stamp');

const webStamp = () =>
  stampOf(['web', 'packages/client/src', 'packages/plugin/src/protocol', 'scripts/build-web.mjs']);

/** Whether dist/web is up to date with web/. */
export function isWebBuilt(stamp = webStamp()) {
  return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp;
}

/**
 * Writes a .br and a .gz file for each program and style, with maximum compression: they are created once and sent
 * often.
 */
function compress() {
  for (const path of readdirSync(output, { recursive: true })) {
    if (!/\.(js|css|svg|json|webmanifest)$/.test(path)) continue;
    const bytes = readFileSync(join(output, path));
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    };
    for (const [suffix, packed] of [
      ['br', brotliCompressSync(bytes, { params })],
      ['gz', gzipSync(bytes, { level: 9 })],
    ]) {
      if (packed.length < bytes.length) writeFileSync(join(output, `${path}.${suffix}`), packed);
    }
  }
}

async function buildWeb() {
  const stamp = webStamp();
  if (isWebBuilt(stamp)) return;
  rmSync(stampFile, { force: true });
  const { build } = await import('vite');
  await build({ root: join(top, 'web'), logLevel: 'warn' });
  compress();
  writeFileSync(stampFile, stamp);
}

if (process.argv[1] === import.meta.filename) await buildWeb();
