import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isInstalled, packageRoot } from './package-root.js';

/** What a package of this project's says of itself. */
interface PackageJson {
  readonly version: string;
  readonly engines: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const tools = ['@types/node', 'tsx', 'typescript'];

const compilerOptions = {
  target: 'es2023',
  module: 'nodenext',
  strict: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  types: ['node'],
  noEmit: true,
};

/** The files that make a plugin in TypeScript a package of its own. */
export function packageFiles(id: string): (readonly [string, string])[] {
  const root = packageRoot();
  const { version, engines, devDependencies } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  ) as PackageJson;
  const manifest = {
    name: id,
    version: '1.0.0',
    private: true,
    type: 'module',
    engines,
    scripts: { start: 'tsx worker.ts', test: 'node --import tsx --test plugin.test.ts', check: 'tsc' },
    dependencies: { 'knowledge-warehouse': isInstalled(root) ? `^${version}` : `file:${root}` },
    // What esbuild, which tsx is built on, does after it is installed is not needed.
    allowScripts: { esbuild: false },
    devDependencies: Object.fromEntries(tools.map((tool) => [tool, devDependencies[tool] ?? '*'])),
  };
  return [
    ['package.json', toJson(manifest)],
    ['tsconfig.json', toJson({ compilerOptions, include: ['*.ts'] })],
  ];
}

const toJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
