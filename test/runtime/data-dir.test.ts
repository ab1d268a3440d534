import assert from 'node:assert/strict';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { openDataDirectory } from '../../runtime/embedded/data-dir.js';
import { identify, isRunning } from '../../runtime/embedded/process-identity.js';
import { temporaryFolder } from '../support/temporary.js';

const holder = fileURLToPath(new URL('../support/service/hold-data-dir.mjs', import.meta.url));
const hold = (root: string): ChildProcess => fork(holder, [root], { execArgv: [] });
const mode = (path: string): number => statSync(path).mode & 0o777;

describe('data directory', () => {
  it('is created private, with private files', async () => {
    const root = join(temporaryFolder(), 'a', 'b');
    const directory = await openDataDirectory(root);
    const secret = directory.readSecret();
    directory.writeAdminKey('kw_key');
    assert.equal(mode(root), process.getuid?.() === 0 ? 0o711 : 0o700);
    for (const name of readdirSync(root)) assert.equal(mode(join(root, name)), 0o600, name);
    directory.release();

    const again = await openDataDirectory(root);
    assert.equal(again.readSecret(), secret);
    assert.equal(again.readAdminKey(), 'kw_key');
    again.release();
  });

  it('does not change the mode of a folder with other content', async () => {
    const root = join(temporaryFolder(), 'shared');
    mkdirSync(root, { mode: 0o755 });
    writeFileSync(join(root, 'notes.txt'), 'mine');
    (await openDataDirectory(root)).release();
    assert.equal(mode(root), 0o755);
  });

  it('belongs to one process until that ends', async () => {
    const root = temporaryFolder();
    const child = hold(root);
    await once(child, 'message');
    await assert.rejects(openDataDirectory(root), {
      name: 'StartError',
      message: `KW_DATA_DIR: ${root} is in use by another "npm start" (process ${child.pid}).`,
    });
    child.kill('SIGKILL');
    await once(child, 'exit');
    (await openDataDirectory(root)).release();
  });

  it('goes to at most one of several simultaneous starts', async () => {
    const root = temporaryFolder();
    const children = Array.from({ length: 4 }, () => hold(root));
    const answers = await Promise.all(
      children.map(async (child) => ((await once(child, 'message')) as [string])[0]),
    );
    const held = answers.filter((answer) => answer === 'held').length;
    assert(held <= 1, answers.join());
    for (const child of children) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  });

  it('is not locked by a process id that was reused', async () => {
    const root = temporaryFolder();
    const other = identify(process.ppid)!;
    writeFileSync(join(root, `lock.${other.pid}`), JSON.stringify({ ...other, started: 'long ago' }));
    (await openDataDirectory(root)).release();
    assert(isRunning(other));
    assert(!existsSync(join(root, `lock.${other.pid}`)));
  });
});
