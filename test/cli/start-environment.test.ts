import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { completeEnvironment, type StackContext } from '../../cli/operations/start/stack.js';
import { completeFromStack } from '../../cli/operations/running-stack.js';
import { openDataDirectory, type DataDirectory } from '../../runtime/embedded/data-dir.js';
import { loadConfig, type Config, type Environment } from '../../runtime/settings/config.js';
import { temporaryFolder } from '../support/temporary.js';

const databaseUrl = 'postgres://kw:password@127.0.0.1:5432/kw';
const own: Config['temporal'] = {
  address: '127.0.0.1:7233',
  namespace: 'default',
  apiKey: null,
  tls: null,
  uiUrl: 'http://127.0.0.1:8233',
};

describe('the environment of API and worker', () => {
  let directory: DataDirectory;
  let folder: string;
  before(async () => {
    folder = temporaryFolder();
    directory = await openDataDirectory(join(folder, 'data'));
  });
  after(() => directory.release());

  const fileOf = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  /** The configuration of a process that `npm start` starts. It reads the same `.env` again. */
  const startedWith = (dotEnv: Environment, temporal: Config['temporal'] | null): Config => {
    const config = loadConfig(dotEnv, 'start');
    const found = { databaseUrl, temporal: temporal ?? config.temporal };
    const env = completeEnvironment({ env: dotEnv, config, directory } as StackContext, found);
    return loadConfig({ ...dotEnv, ...env }, 'worker');
  };

  it('has the secrets that files hold, although .env names the files', () => {
    const secret = 'a-secret-of-the-tests-alone';
    const config = startedWith(
      {
        KW_SECRET_FILE: fileOf('secret', secret),
        DATABASE_URL_FILE: fileOf('database', databaseUrl),
        KW_ADMIN_KEY_FILE: fileOf('key', `kw_${'a'.repeat(40)}`),
      },
      own,
    );
    assert.deepEqual([config.secrets, config.databaseUrl, config.adminKey], [[secret], databaseUrl, null]);
  });

  it('has no TLS and no API key for the Temporal of npm start, but those of an external one', () => {
    const security = {
      TEMPORAL_API_KEY_FILE: fileOf('api-key', 'the key'),
      TEMPORAL_TLS_SERVER_NAME: 'temporal.example',
      TEMPORAL_TLS_SERVER_CA_CERT_PATH: fileOf('ca.pem', 'a certificate'),
    };
    assert.deepEqual(startedWith(security, own).temporal, own);
    const { apiKey, tls } = startedWith(
      { ...security, TEMPORAL_ADDRESS: 'temporal.example:7233' },
      null,
    ).temporal;
    assert.deepEqual([apiKey, tls?.serverName], ['the key', 'temporal.example']);

    // The operations of `kw` read how to reach it from stack.json.
    const describe = (processes: Readonly<Record<string, number>>): Config['temporal'] => {
      directory.writeStack({
        api: 'http://127.0.0.1:8080',
        temporal_address: own.address,
        temporal_namespace: own.namespace,
        temporal_ui: null,
        database_url: databaseUrl,
        processes,
      });
      return loadConfig(completeFromStack({ ...security, KW_DATA_DIR: directory.paths.root }), 'migrate')
        .temporal;
    };
    assert.deepEqual(describe({ temporal: 1 }), { ...own, uiUrl: null });
    assert.equal(describe({}).apiKey, 'the key');
  });
});
