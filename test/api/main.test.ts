import assert from 'node:assert/strict';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Readable } from 'node:stream';
import { resolve } from 'node:path';
import { reservePort } from '../support/servers/ports.js';
import { createDatabase } from '../support/servers/postgres.js';
import { temporaryFolder } from '../support/temporary.js';

const module = resolve('dist/bin/api.js');

interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  readonly errors: () => string;
}

function start(env: Readonly<Record<string, string>>): Started {
  const child = fork(module, [], {
    execArgv: [],
    cwd: temporaryFolder(),
    env: { PATH: process.env['PATH'], KW_LOG_LEVEL: 'error', KW_DATA_DIR: temporaryFolder(), ...env },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let errors = '';
  const stderr = child.stderr as Readable;
  stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  // Not `close`: it does not come when it was this side that closed the channel.
  const ended = Promise.all([once(child, 'exit'), once(stderr, 'end')]).then(
    ([[code]]) => code as number | null,
  );
  return { child, ended, errors: () => errors };
}

describe('the API process', () => {
  it('reports when it is ready, responds, and stops on request', async () => {
    const database = await createDatabase();
    const port = await reservePort();
    const squatter = createServer().listen(port, '127.0.0.1');
    await once(squatter, 'listening');
    const env = {
      DATABASE_URL: database.url,
      TEMPORAL_ADDRESS: '127.0.0.1:1',
      KW_SECRET: 'a-secret-of-the-tests-alone',
      KW_DRAIN_SECONDS: '3600',
      PORT: String(port),
    };
    const taken = start(env);
    assert.equal(await taken.ended, 1);
    assert.equal(
      taken.errors(),
      `127.0.0.1:${port} is in use by another program; set PORT to another port.\n`,
    );
    await new Promise((closed) => squatter.close(closed));

    // Only who sends SIGTERM routes requests elsewhere meanwhile. `test/system/probes` sends SIGINT.
    const stops: readonly ((child: ChildProcess) => unknown)[] = [
      (child) => child.disconnect(),
      (child) => child.kill('SIGTERM') && child.disconnect(),
    ];
    for (const stop of stops) {
      const { child, ended, errors } = start(env);
      const [message] = (await once(child, 'message')) as [unknown];
      assert.deepEqual(message, { type: 'ready', url: `http://127.0.0.1:${port}` });
      assert.equal((await fetch(`http://127.0.0.1:${port}/health/live`)).status, 200);
      stop(child);
      assert.deepEqual([await ended, errors()], [0, '']);
    }
    await database.drop();
  });
});
