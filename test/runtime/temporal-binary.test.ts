import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { findTemporal } from '../../runtime/embedded/temporal/binary.js';
import { fillTemporalCache, temporalCacheFolder } from '../../runtime/embedded/temporal/cache.js';
import { untilStuck } from '../../runtime/embedded/temporal/stuck.js';
import { temporaryFolder } from '../support/temporary.js';

const never = new AbortController().signal;
const silent = (): void => undefined;

/** A program that calls itself temporal and does nothing else. */
function fakeTemporal(folder: string, output = 'temporal version 1.5.1'): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'temporal');
  writeFileSync(path, `#!/bin/sh\necho ${output}\n`, { mode: 0o755 });
  return path;
}

describe('finding a Temporal server', () => {
  it('uses the configured one, or fails with its name', async () => {
    const named = fakeTemporal(temporaryFolder());
    const onPath = temporaryFolder();
    fakeTemporal(onPath);
    assert.equal(await findTemporal({ TEMPORAL_CLI_PATH: named, PATH: onPath }, silent, never), named);
    await assert.rejects(findTemporal({ TEMPORAL_CLI_PATH: '/no/such', PATH: onPath }, silent, never), {
      name: 'StartError',
      message: 'TEMPORAL_CLI_PATH: /no/such is not a Temporal CLI that runs on this machine.',
    });
  });

  it('uses the one on the PATH, otherwise the one in the cache', async () => {
    const [broken, good, cache] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
    fakeTemporal(broken, 'something else');
    const onPath = fakeTemporal(good);
    const cached = fakeTemporal(temporalCacheFolder({ XDG_CACHE_HOME: cache }));
    const env = { XDG_CACHE_HOME: cache };
    assert.equal(await findTemporal({ ...env, PATH: `${broken}:${good}` }, silent, never), onPath);
    assert.equal(await findTemporal({ ...env, PATH: broken }, silent, never), cached);
  });

  it('fails with the folder of the cache if it cannot be made, and uses none in the current folder', async () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    await assert.rejects(findTemporal({ XDG_CACHE_HOME: file, PATH: '' }, silent, never), {
      name: 'StartError',
      message: /^The folder for the Temporal CLI cannot be made: .*file.*TEMPORAL_CLI_PATH/,
    });
    for (const unset of ['', 'relative'])
      assert.equal(temporalCacheFolder({ XDG_CACHE_HOME: unset }), temporalCacheFolder({}));
  });

  it('fills the cache once if several need it, and only with complete files', async () => {
    const folder = join(temporaryFolder(), 'cache');
    let made = 0;
    let waited = 0;
    const fill = (): Promise<string | null> =>
      fillTemporalCache(
        folder,
        () => waited++,
        never,
        async (scratch) => {
          made++;
          await sleep(300);
          return fakeTemporal(scratch);
        },
      );
    await assert.rejects(
      fillTemporalCache(folder, silent, never, () => Promise.reject(new Error('cut off'))),
      /cut off/,
    );
    assert.equal(await fillTemporalCache(folder, silent, never, () => Promise.resolve(null)), null);
    assert.equal(await fill(), join(folder, 'temporal'));
    assert.equal(await fill(), join(folder, 'temporal'));
    assert.deepEqual([made, waited], [1, 0]);
  });
});

describe('a Temporal server', () => {
  it('is considered stuck if it answers every call with an interrupted statement, and not otherwise', async () => {
    const answers = [
      null,
      '14 UNAVAILABLE: No connection established',
      '14 UNAVAILABLE: GetNamespace operation failed. Error database is locked (5)',
      '14 UNAVAILABLE: GetNamespace operation failed. Error interrupted (9)',
      'never asked for',
    ];
    const probe = (): Promise<void> => {
      const answer = answers.shift() ?? null;
      return answer === null ? Promise.resolve() : Promise.reject(new Error(answer));
    };
    assert.equal(await untilStuck(probe, never, 1), true);
    assert.deepEqual(answers, ['never asked for']);
    assert.equal(await untilStuck(probe, AbortSignal.abort(), 60_000), false);
  });
});
