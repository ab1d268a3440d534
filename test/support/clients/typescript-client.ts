import { execFile } from 'node:child_process';
import { cpSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import openapiTS, { astToString } from 'openapi-typescript';
import { temporaryFolder } from '../temporary.js';
import type { GeneratedClient } from './generated-client.js';

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

/** Compiles `typescript/story.ts` in strict mode with the types that openapi-typescript generates from a document. */
export async function generateTypescriptClient(document: string): Promise<GeneratedClient> {
  const folder = temporaryFolder();
  const types = await openapiTS(JSON.parse(document));
  cpSync(fileURLToPath(new URL('typescript/story.ts', import.meta.url)), join(folder, 'story.ts'));
  writeFileSync(join(folder, 'schema.ts'), astToString(types));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
  symlinkSync(join(top, 'node_modules'), join(folder, 'node_modules'));
  const tsc = [join(top, 'node_modules/typescript-7/bin/tsc'), '--project', folder];
  await run(process.execPath, tsc).catch((error: unknown) => {
    const { stdout } = error as { readonly stdout?: string };
    throw new Error(`The program does not compile: ${stdout}`, { cause: error });
  });
  return {
    async run(address, key) {
      const { stdout } = await run(process.execPath, [join(folder, 'story.js'), address, key], {
        timeout: 90_000,
      });
      return JSON.parse(stdout);
    },
  };
}
