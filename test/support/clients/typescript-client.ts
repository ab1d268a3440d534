import { execFile } from 'node:child_process';
import { cp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import openapiTS, { astToString } from 'openapi-typescript';
import { temporaryFolder } from '../temporary.js';
import type { GeneratedClient } from './generated-client.js';
import { keptFolder } from './kept-folder.js';

const run = promisify(execFile);
const top = fileURLToPath(new URL('../../..', import.meta.url));

const settings = {
  compilerOptions: {
    target: 'es2023',
    lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
    module: 'nodenext',
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    types: ['node'],
  },
  include: ['*.ts'],
};

/** The packages whose versions decide what is generated and whether it compiles. */
const packages = ['openapi-typescript', 'openapi-fetch', 'typescript-7'];

/** Compiles `typescript/story.ts` in strict mode with the types that openapi-typescript generates from a document. */
export async function generateTypescriptClient(document: string): Promise<GeneratedClient> {
  const story = await readFile(new URL('typescript/story.ts', import.meta.url));
  const manifests = packages.map((name) => readFile(join(top, 'node_modules', name, 'package.json')));
  const sources = [document, story, JSON.stringify(settings), ...(await Promise.all(manifests))];
  const kept = await keptFolder('typescript-client', sources, async (made) => {
    const types = await openapiTS(JSON.parse(document));
    await writeFile(join(made, 'story.ts'), story);
    await writeFile(join(made, 'schema.ts'), astToString(types));
    await writeFile(join(made, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
    await writeFile(join(made, 'tsconfig.json'), JSON.stringify(settings));
    await linkPackages(made);
    const tsc = [join(top, 'node_modules/typescript-7/bin/tsc'), '--project', made];
    await run(process.execPath, tsc).catch((error: unknown) => {
      const { stdout } = error as { readonly stdout?: string };
      throw new Error(`The program does not compile: ${stdout}`, { cause: error });
    });
    // Another checkout may use the folder.
    await rm(join(made, 'node_modules'));
  });
  const folder = temporaryFolder();
  await cp(kept, folder, { recursive: true });
  await linkPackages(folder);
  return {
    async run(address, key) {
      const { stdout } = await run(process.execPath, [join(folder, 'story.js'), address, key], {
        timeout: 90_000,
      });
      return JSON.parse(stdout);
    },
  };
}

const linkPackages = (folder: string): Promise<void> =>
  symlink(join(top, 'node_modules'), join(folder, 'node_modules'));
