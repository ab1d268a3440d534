import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { eventually } from '../eventually.js';
import { createRestClient } from './rest-client.js';
import type { TestStack } from './stack.js';
import { temporaryFolder } from '../temporary.js';
import { startWorkerProcess, type WorkerProcess } from '../workers/worker-process.js';

const top = fileURLToPath(new URL('../../..', import.meta.url));
const run = promisify(execFile);

export type PackageName = 'client' | 'plugin';

/** An empty project for installing our packages from archives. */
export interface PackedProject {
  readonly folder: string;
  /**
   * Installs archives with npm, and their dependencies from the registry. Returns the resulting megabytes and packages.
   */
  install(archives: readonly string[]): Promise<{ readonly megabytes: number; readonly packages: number }>;
  /** Unpacks an archive, and links its dependencies to the packages of this checkout, without a registry. */
  unpack(name: PackageName, archive: string): Promise<void>;
  /** Compiles in strict mode, including the types of every package. */
  compile(settings: { readonly module: string; readonly moduleResolution: string }): Promise<void>;
}

/** Packs a package of packages/ as for publishing; without a name, the service. Returns the path of the archive. */
export async function pack(name?: PackageName): Promise<string> {
  const folder = temporaryFolder();
  const source = name === undefined ? top : join(top, 'packages', name);
  const args = ['pack', source, '--pack-destination', folder, '--ignore-scripts', '--silent'];
  const { stdout } = await run('npm', args, { cwd: folder });
  return join(folder, stdout.trim());
}

export function createProject(): PackedProject {
  const folder = temporaryFolder();
  const modules = join(folder, 'node_modules');
  const json = (name: string, value: object): void =>
    writeFileSync(join(folder, name), JSON.stringify(value));
  json('package.json', { name: 'a-project', version: '1.0.0', private: true, type: 'module' });
  return {
    folder,
    async install(archives) {
      const options = ['--no-audit', '--no-fund', '--no-save', '--prefer-offline'];
      await run('npm', ['install', ...options, ...archives], { cwd: folder, maxBuffer: 1e8 });
      const files = readdirSync(modules, { recursive: true, withFileTypes: true });
      const paths = files
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name));
      // The size on disk, in blocks of 512 bytes.
      const blocks = paths.reduce((sum, path) => sum + statSync(path).blocks, 0);
      const { stdout } = await run('npm', ['ls', '--all', '--parseable'], { cwd: folder }).catch(
        (error: unknown) => error as { stdout: string },
      );
      const lines = stdout.trim().split('\n');
      return { megabytes: (blocks * 512) / 1024 ** 2, packages: new Set(lines).size - 1 };
    },
    async unpack(name, archive) {
      const target = join(modules, '@knowledge-warehouse', name);
      mkdirSync(target, { recursive: true });
      await run('tar', ['-xzf', archive, '-C', target, '--strip-components=1']);
      const { dependencies } = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8'));
      mkdirSync(join(target, 'node_modules'));
      for (const dependency of Object.keys(dependencies)) {
        const link = join(target, 'node_modules', dependency);
        mkdirSync(join(link, '..'), { recursive: true });
        symlinkSync(join(top, 'node_modules', dependency), link);
      }
    },
    async compile(settings) {
      json('tsconfig.json', {
        compilerOptions: { ...settings, target: 'es2023', strict: true, skipLibCheck: false, types: [] },
        include: ['*.ts'],
      });
      const { stdout } = await run(process.execPath, [join(top, 'node_modules/typescript/bin/tsc')], {
        cwd: folder,
      }).catch((error: unknown) => error as { stdout: string });
      assert.equal(stdout, '');
    },
  };
}

/** Adds the example HTTP worker to a project, compiles it, and runs it for a service until it is stopped. */
export async function runExampleWorker(project: PackedProject, stack: TestStack): Promise<WorkerProcess> {
  for (const file of ['plugin.ts', 'worker.ts'])
    cpSync(join(top, 'plugins/examples/typescript-http', file), join(project.folder, file));
  await project.compile({ module: 'esnext', moduleResolution: 'bundler' });
  await project.compile({ module: 'node16', moduleResolution: 'node16' });
  const worker = startWorkerProcess('node', ['worker.js'], {
    cwd: project.folder,
    env: { KW_DATA_DIR: stack.dataDir, PORT: '0' },
  });
  const client = createRestClient(stack);
  await eventually(async () => (await client.call('GET', '/plugins/outline')).status === 200);
  await client.expect(201, 'POST', '/pipelines', {
    name: 'Outlines',
    trigger_type: 'outlined',
    steps: [{ plugin_id: 'outline' }],
  });
  return worker;
}

const program = `
import { createClient, listAll, type Artifact } from '@knowledge-warehouse/client';

const [url = '', apiKey = ''] = process.argv.slice(2);
const client = createClient({ url, apiKey, patience: { tries: 3 } });
const sent: number[] = [];
const { id } = await client.upload({
  name: 'note.md',
  type: 'outlined',
  file: new Blob(['# One\\n\\n## Two\\n']),
  onSent: (bytes) => sent.push(bytes),
});
const seen: string[] = [];
const resource = await client.waitFor(id, { onChange: ({ status }) => seen.push(status) });
const artifact: Artifact | undefined = resource?.artifacts[0];
const { value } = await client.GET('/resources/{id}/artifacts/{artifactId}', {
  params: { path: { id, artifactId: artifact?.id ?? '' } },
});
const plugins = await listAll((query) => client.GET('/plugins', { params: { query } }));
for await (const { name } of client.events()) {
  console.log(JSON.stringify([resource?.status, seen.at(-1), sent.at(-1), value.content, plugins.length, name]));
  break;
}
process.exit();
`;

/** Runs a project's program that calls the service through the client package. Returns its result. */
export async function runClientProgram(project: PackedProject, stack: TestStack): Promise<unknown> {
  writeFileSync(join(project.folder, 'program.ts'), `/// <reference types="node" />${program}`);
  symlinkSync(join(top, 'node_modules/@types'), join(project.folder, 'node_modules/@types'));
  await project.compile({ module: 'esnext', moduleResolution: 'bundler' });
  await project.compile({ module: 'node16', moduleResolution: 'node16' });
  const { stdout } = await run(process.execPath, ['program.js', stack.api, stack.adminKey], {
    cwd: project.folder,
  });
  return JSON.parse(stdout);
}
