import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Skeleton } from './commands.js';
import { packageRoot } from './package-root.js';

/** The parts used from this project's package.json files. */
interface PackageJson {
  readonly engines: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const tools = ['@types/node', 'tsx', 'typescript'];
const temporal = ['@temporalio/activity', '@temporalio/common', '@temporalio/worker'];

const compilerOptions = {
  target: 'es2023',
  module: 'nodenext',
  strict: true,
  noUncheckedIndexedAccess: true,
  types: ['node'],
  noEmit: true,
};

/**
 * Returns the package files of a new TypeScript plugin.
 *
 * @param archive The plugin package, packed into the folder.
 */
export function packageFiles({ id, kind }: Skeleton, archive: string): (readonly [string, string])[] {
  const { engines, dependencies, devDependencies } = JSON.parse(
    readFileSync(join(packageRoot(), 'package.json'), 'utf8'),
  ) as PackageJson;
  const versionsOf = (names: readonly string[]): Record<string, string> =>
    Object.fromEntries(names.map((name) => [name, dependencies[name] ?? devDependencies[name] ?? '*']));
  const manifest = {
    name: id,
    version: '1.0.0',
    private: true,
    type: 'module',
    engines,
    scripts: { start: 'tsx worker.ts', test: 'node --import tsx --test plugin.test.ts', check: 'tsc' },
    dependencies: {
      '@knowledge-warehouse/plugin': `file:${archive}`,
      ...(kind === 'activity' && versionsOf(temporal)),
    },
    // None of the install scripts of these packages are needed.
    allowScripts: { '@swc/core': false, esbuild: false, protobufjs: false },
    devDependencies: versionsOf(tools),
  };
  return [
    ['package.json', toJson(manifest)],
    ['tsconfig.json', toJson({ compilerOptions, include: ['*.ts'] })],
  ];
}

const toJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
