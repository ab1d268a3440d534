// Bundles the used parts of some packages into dist/bundled, with their licences; see
// docs/decisions/0162-what-an-installation-holds.md. Does nothing if neither they nor
// the scripts changed.
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { runInNewContext } from 'node:vm';

const top = join(import.meta.dirname, '..');
const output = join(top, 'dist/bundled');
const stampFile = join(output, '.stamp');

/** The modules, by their names in `imports` of package.json. */
const modules = {
  cl100k_base: 'gpt-tokenizer/encoding/cl100k_base',
  o200k_base: 'gpt-tokenizer/encoding/o200k_base',
  tinyld: 'tinyld',
  'mcp-server': '@modelcontextprotocol/server',
  'mcp-node': '@modelcontextprotocol/node',
  'temporal-tracing': '@temporalio/interceptors-opentelemetry-v2',
  lancedb: './scripts/bundled-lancedb.mjs',
};
const packages = [
  'gpt-tokenizer',
  'tinyld',
  '@temporalio/interceptors-opentelemetry-v2',
  '@modelcontextprotocol/server',
  '@modelcontextprotocol/core',
  '@modelcontextprotocol/node',
  '@hono/node-server',
  'hono',
  'zod',
  '@lancedb/lancedb',
  'reflect-metadata',
  'swagger-ui-dist',
];
/** Files for browsers, served unchanged. */
const copied = ['swagger-ui-dist/swagger-ui-bundle.js', 'swagger-ui-dist/swagger-ui.css'];
/** Modules that are shared with the service, and native code. */
const external = [
  /^@temporalio\/(?!interceptors)/,
  /^@opentelemetry\//,
  'apache-arrow',
  /^@lancedb\/lancedb-/,
  /\.node$/,
  /^(@huggingface\/transformers|openai)$/,
];

const folderOf = (name) => join(top, 'node_modules', name);
const versionOf = (name) => JSON.parse(readFileSync(join(folderOf(name), 'package.json'), 'utf8')).version;

/**
 * Makes the language detector quick to load, which each child that reads documents does. As published, it turns its
 * tables of 36,000 letter sequences into objects at once: half a second of processor time and 35 MB. Now it reads
 * them as JSON and converts the entries that a text needs.
 */
const lazyTables = {
  name: 'lazy-tables',
  transform(code, id) {
    if (!/\/tinyld\/dist\/[^/]+$/.test(id)) return null;
    const tables = /(?<==)\{id:"tinyld-dict",.*?\}\}(?=[,;])/s;
    const conversions =
      /(uniques|multiples):Object\.fromEntries\(Object\.entries\((\w+\.\1)\)\.map\((\w+=>(?:\[[^{}]*?\]|\{.*?return\[\w\[0\],\w\]\}))\)\)/gs;
    if (!tables.test(code) || code.match(conversions)?.length !== 2)
      throw new Error('The code of tinyld has changed: adapt lazyTables in scripts/build-bundled.mjs');
    const asJson = (literal) => JSON.stringify(JSON.stringify(runInNewContext(`(${literal})`)));
    return `${code
      .replace(tables, (literal) => `JSON.parse(${asJson(literal)})`)
      .replace(conversions, '$1:convertLazily($2,$3)')}
function convertLazily(table, convert) {
  const convertOne = (known, key) => (known[key] = convert([key, table[key]])[1]);
  return new Proxy({ __proto__: null }, {
    get: (known, key) => known[key] ?? (Object.hasOwn(table, key) ? convertOne(known, key) : undefined),
  });
}`;
  },
};

/** Copies the licences of packages that a production installation does not contain otherwise. */
export function copyLicenses(names, folder) {
  for (const name of names) {
    const license = readdirSync(folderOf(name)).find((file) => /^licen[sc]e/i.test(file));
    copyFileSync(
      join(folderOf(name), license),
      join(folder, `${name.replace('@', '').replace('/', '-')}-LICENSE`),
    );
  }
}

export async function buildBundled() {
  const scripts = ['build-bundled.mjs', 'bundled-lancedb.mjs'].map((name) =>
    readFileSync(join(top, 'scripts', name)),
  );
  const hash = createHash('sha256').update(Buffer.concat(scripts)).digest('hex');
  const stamp = [...packages.map((name) => `${name} ${versionOf(name)}`), hash, ''].join('\n');
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
  const { build } = await import('vite');
  await build({
    root: top,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    plugins: [lazyTables],
    ssr: { noExternal: true, external: [] },
    build: {
      ssr: true,
      target: 'node20',
      outDir: output,
      emptyOutDir: true,
      rolldownOptions: { input: modules, external, output: { entryFileNames: '[name].js' } },
    },
  });
  for (const path of copied) {
    const text = readFileSync(folderOf(path), 'utf8');
    // Source maps are not copied.
    writeFileSync(join(output, basename(path)), text.replace(/\n(\/\/|\/\*)# sourceMappingURL=.*$/s, '\n'));
  }
  copyLicenses(packages, output);
  writeFileSync(stampFile, stamp);
}
