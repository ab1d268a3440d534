import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findGoProgram, runGo, type GoProgram } from '../servers/go.js';
import type { GeneratedClient } from './generated-client.js';
import { keptFolder } from './kept-folder.js';

const run = promisify(execFile);
const project = fileURLToPath(new URL('go', import.meta.url));
const files = ['go.mod', 'go.sum', 'main.go', 'oapi-codegen.yaml'];

const generator: GoProgram = {
  purpose: 'a generator of Go clients',
  name: 'oapi-codegen',
  module: 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen',
  version: 'v2.8.2',
};

/** Fetches the generator and the client's Go modules unless they are cached. Returns the generator's path. */
export async function findGoGenerator(): Promise<string> {
  const path = await findGoProgram(generator, { onPath: false });
  await runGo(['mod', 'download'], { cwd: project });
  return path;
}

/** Builds `go/main.go` with the client that oapi-codegen generates from a document. */
export async function generateGoClient(document: string): Promise<GeneratedClient> {
  const sources = await Promise.all(files.map((name) => readFile(join(project, name))));
  const folder = await keptFolder('go-client', [generator.version, document, ...sources], async (made) => {
    const oapiCodegen = await findGoGenerator();
    await Promise.all(files.map((name) => cp(join(project, name), join(made, name))));
    await writeFile(join(made, 'openapi.json'), document);
    await mkdir(join(made, 'warehouse'));
    await run(oapiCodegen, ['-config', 'oapi-codegen.yaml', 'openapi.json'], { cwd: made });
    await runGo(['build', '-o', 'story', '.'], { cwd: made, env: { GOFLAGS: '-buildvcs=false' } });
  });
  return {
    async run(address, key) {
      const { stdout } = await run(join(folder, 'story'), [address, key], { timeout: 90_000 });
      return JSON.parse(stdout);
    },
  };
}
