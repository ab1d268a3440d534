import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { mcpRoutes } from '../../api/mcp/route.js';
import { views } from '../../api/pages/web-paths.js';
import { fullPath } from '../../api/route.js';
import { routes } from '../../api/routes/index.js';
import { ConfigError, loadConfig, type Config } from '../../runtime/settings/config.js';
import { renderEnvExample } from '../../runtime/settings/env-example.js';
import { unknownSettings } from '../../runtime/settings/unknown-settings.js';
import type { ProcessRole } from '../../runtime/settings/setting-types.js';

const secret = '0123456789abcdef';
const complete = {
  DATABASE_URL: 'postgres://kw:kw@db/kw',
  TEMPORAL_ADDRESS: 'temporal:7233',
  KW_SECRET: secret,
  KW_PUBLIC_URL: 'https://kw.example.com/',
};

function problems(env: Record<string, string>, role?: ProcessRole): readonly string[] {
  try {
    loadConfig(env, role);
  } catch (error) {
    assert(error instanceof ConfigError, String(error));
    return error.problems;
  }
  return [];
}

describe('configuration', () => {
  it('has the documented defaults', () => {
    const config = loadConfig({
      DATABASE_URL: 'postgres://db/kw',
      TEMPORAL_ADDRESS: 'localhost:7233',
      KW_SECRET: secret,
    });
    const expected: Config = {
      host: '127.0.0.1',
      port: 8080,
      publicUrl: 'http://127.0.0.1:8080',
      dataDir: resolve('.kw'),
      secrets: [secret],
      adminKey: null,
      databaseUrl: 'postgres://db/kw',
      databasePoolSize: 10,
      databaseTimeoutSeconds: 10,
      temporal: { address: 'localhost:7233', namespace: 'default', apiKey: null, tls: null, uiUrl: null },
      temporalTimeoutSeconds: 10,
      s3: null,
      objectDirectory: resolve('.kw/objects'),
      searchUri: 'lancedb:',
      rerank: null,
      maxUploadBytes: 5 * 1024 ** 3,
      maxArtifactBytes: 1024 ** 3,
      rateLimit: 6000,
      trustedProxies: [],
      corsOrigins: [],
      urlAllow: [],
      urlTimeoutSeconds: 300,
      pluginHosts: [],
      seed: true,
      logLevel: 'info',
      logFormat: 'json',
      workerHealthAddress: null,
      workerMetricsAddress: null,
      temporalMetricsAddress: null,
      tracing: null,
      sweepIntervalSeconds: 1,
      drainSeconds: 5,
      shutdownGraceSeconds: 20,
      hstsIncludeSubdomains: false,
      leaseSeconds: 10,
    };
    assert.deepEqual(config, expected);
  });

  const values: readonly [Record<string, string>, (config: Config) => unknown, unknown][] = [
    [{ KW_PUBLIC_URL: 'https://kw.example.com/base//' }, (c) => c.publicUrl, 'https://kw.example.com/base'],
    [{ KW_PUBLIC_URL: '', HOST: '::1', PORT: '81' }, (c) => c.publicUrl, 'http://[::1]:81'],
    [{ KW_SECRET: `${secret}1, ${secret}2` }, (c) => c.secrets, [`${secret}1`, `${secret}2`]],
    [{ KW_DATA_DIR: '/data' }, (c) => [c.dataDir, c.objectDirectory], ['/data', '/data/objects']],
    [{ KW_OBJECT_DIR: '/objects' }, (c) => c.objectDirectory, '/objects'],
    [{ KW_SEED: 'false' }, (c) => c.seed, false],
    [{ KW_SEED: '  ' }, (c) => c.seed, true],
    [{ KW_MAX_UPLOAD_BYTES: '1e6' }, (c) => c.maxUploadBytes, 1_000_000],
    [
      { KW_URL_ALLOW: 'files.local,10.0.0.5:8000,[::1]' },
      (c) => c.urlAllow,
      ['files.local', '10.0.0.5:8000', '[::1]'],
    ],
    [{ KW_SWEEP_INTERVAL_SECONDS: '0.5' }, (c) => c.sweepIntervalSeconds, 0.5],
    [
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/',
        OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20x=y, b=2',
      },
      (c) => [c.tracing?.endpoint, c.tracing?.headers, c.tracing?.sampler],
      ['http://collector:4318', { authorization: 'Bearer x=y', b: '2' }, 'parentbased_always_on'],
    ],
    [{ TEMPORAL_API_KEY: 'key' }, (c) => [c.temporal.apiKey, c.temporal.tls], ['key', {}]],
    [{ TEMPORAL_API_KEY: 'key', TEMPORAL_TLS: 'false' }, (c) => c.temporal.tls, null],
    [
      { DATABASE_URL: 'postgres://db/%C3%BC%20a:b?sslmode=require' },
      (c) => c.databaseUrl.slice(14, 28),
      '%C3%BC%20a:b?s',
    ],
    [
      { KW_S3_BUCKET: 'arn:aws:s3:eu-central-1:1:accesspoint/kw' },
      (c) => c.s3?.bucket,
      'arn:aws:s3:eu-central-1:1:accesspoint/kw',
    ],
    [{ TEMPORAL_TLS: 'true' }, (c) => c.temporal.tls, {}],
    [{ TEMPORAL_TLS_SERVER_NAME: 'temporal' }, (c) => c.temporal.tls, { serverName: 'temporal' }],
    [{ TEMPORAL_TLS_SERVER_CA_CERT_PATH: 'package.json' }, (c) => c.temporal.tls, { caFile: 'package.json' }],
    [
      { KW_S3_BUCKET: 'kw' },
      (c) => c.s3,
      { bucket: 'kw', region: 'us-east-1', forcePathStyle: false, timeoutSeconds: 10 },
    ],
    [
      {
        KW_S3_BUCKET: 'kw',
        KW_S3_ENDPOINT: 'http://s3:7070',
        KW_S3_ACCESS_KEY_ID: 'a',
        KW_S3_SECRET_ACCESS_KEY: 'b',
      },
      (c) => c.s3,
      {
        bucket: 'kw',
        region: 'us-east-1',
        endpoint: 'http://s3:7070',
        accessKeyId: 'a',
        secretAccessKey: 'b',
        forcePathStyle: true,
        timeoutSeconds: 10,
      },
    ],
  ];
  for (const [env, read, expected] of values) {
    it(`reads ${JSON.stringify(env)}`, () => {
      assert.deepEqual(read(loadConfig({ ...complete, ...env })), expected);
    });
  }

  const wrong: readonly [Record<string, string>, RegExp][] = [
    [{ PORT: '0' }, /^PORT must be a whole number from 1 to 65535, not "0"\.$/],
    [{ PORT: '80.5' }, /^PORT /],
    [{ KW_PUBLIC_URL: 'kw.example.com' }, /^KW_PUBLIC_URL must be a URL that begins with http/],
    [
      { KW_RERANK_URL: 'http://127.0.0.1:99999/rerank' },
      /^KW_RERANK_URL must be a valid URL, with a port of at most 65535\.$/,
    ],
    [
      { KW_S3_ENDPOINT: 'ftp://user:hush@s3' },
      /^KW_S3_ENDPOINT must be a URL that begins with http:\/\/ or https:\/\/\.$/,
    ],
    [{ KW_PUBLIC_URL: 'https://kw.example.com/?a=b' }, /^KW_PUBLIC_URL must be a URL without query/],
    [{ KW_PUBLIC_URL: '', HOST: '0.0.0.0' }, /^KW_PUBLIC_URL is missing\. HOST is 0\.0\.0\.0/],
    [{ KW_SECRET: `${secret},short` }, /^KW_SECRET must have at least 16 characters in each secret\.$/],
    [{ KW_SECRET: ',' }, /^KW_SECRET lists nothing\.$/],
    [{ KW_SECRET: '' }, /^KW_SECRET is missing\./],
    [{ DATABASE_URL: 'mysql://db' }, /^DATABASE_URL must be a URL that begins with postgres/],
    [{ DATABASE_URL: '' }, /^DATABASE_URL is missing\./],
    [
      { DATABASE_URL: 'postgres://db/kw%3Fx' },
      /^DATABASE_URL must not percent-encode .*; the name cannot contain /,
    ],
    [
      { DATABASE_URL: 'postgres://db/kw%zz' },
      /^DATABASE_URL must not percent-encode .*; the name cannot contain /,
    ],
    [
      { DATABASE_URL: 'postgres://db/kw?sslmode=bogus' },
      /^DATABASE_URL must have an sslmode that is one of disable, .*, not "bogus"\.$/,
    ],
    [{ TEMPORAL_ADDRESS: 'http://temporal:7233' }, /^TEMPORAL_ADDRESS must be host:port/],
    [{ TEMPORAL_TLS_CLIENT_CERT_PATH: 'package.json' }, /must be set together or not at all\.$/],
    [
      { TEMPORAL_TLS_SERVER_CA_CERT_PATH: '/no/such' },
      /^TEMPORAL_TLS_SERVER_CA_CERT_PATH: \/no\/such cannot be read: ENOENT/,
    ],
    [
      { KW_S3_BUCKET: 'bad bucket/x' },
      /^KW_S3_BUCKET must be the name of a bucket \(.*, not "bad bucket\/x"\.$/,
    ],
    [{ KW_S3_ENDPOINT: 'http://s3' }, /^KW_S3_BUCKET is missing\./],
    [{ KW_S3_BUCKET: 'kw', KW_S3_ACCESS_KEY_ID: 'a' }, /must be set together or not at all\.$/],
    [
      { KW_WORKER_HEALTH_ADDRESS: '127.0.0.1:9464', KW_TEMPORAL_METRICS_ADDRESS: '127.0.0.1:9464' },
      /^KW_WORKER_HEALTH_ADDRESS and KW_TEMPORAL_METRICS_ADDRESS are both 127\.0\.0\.1:9464: give /,
    ],
    [{ KW_URL_ALLOW: 'http://files.local' }, /^KW_URL_ALLOW must list hosts/],
    [{ KW_CORS_ORIGINS: 'https://example.com/' }, /^KW_CORS_ORIGINS must list origins/],
    [{ KW_TRUSTED_PROXIES: '10.0.0.1, proxy.example' }, /^KW_TRUSTED_PROXIES must list addresses and CIDRs/],
    [{ KW_TRUSTED_PROXIES: '10.0.0.0/33' }, /^KW_TRUSTED_PROXIES must list addresses and CIDRs/],
    [{ KW_CORS_ORIGINS: 'example.com' }, /^KW_CORS_ORIGINS must list origins/],
    [{ KW_RATE_LIMIT: '-1' }, /^KW_RATE_LIMIT /],
    [{ KW_URL_TIMEOUT_SECONDS: '3501' }, /^KW_URL_TIMEOUT_SECONDS must be a whole number from 1 to 3500,/],
    [{ KW_LOG_LEVEL: 'loud' }, /^KW_LOG_LEVEL must be one of trace, .*, not "loud"\.$/],
    [
      { KW_PUBLIC_URL: 'https://example.com/api/kw' },
      /^KW_PUBLIC_URL must not have a path that begins with \/api/,
    ],
    [{ KW_ADMIN_KEY: 'short' }, /^KW_ADMIN_KEY must have 32 to 200 characters/],
    [{ KW_SECRET_FILE: 'package.json' }, /^KW_SECRET and KW_SECRET_FILE are both set: remove one\.$/],
    [{ KW_SECRET: '', KW_SECRET_FILE: '/no/such' }, /^KW_SECRET_FILE: \/no\/such cannot be read: ENOENT/],
    [{ KW_SEED: 'maybe' }, /^KW_SEED must be true or false, not "maybe"\.$/],
  ];
  for (const [env, line] of wrong) {
    it(`refuses ${JSON.stringify(env)} with one line`, () => {
      const found = problems({ ...complete, ...env });
      assert.equal(found.length, 1, found.join('\n'));
      assert.match(found[0]!, line);
      assert(!found[0]!.includes('\n'));
    });
  }

  it('refuses every path of the service itself as that of KW_PUBLIC_URL', () => {
    const own = new Set(
      [...routes, ...mcpRoutes]
        .map((route) => fullPath(route))
        .concat(views)
        .map((path) => path.split('/')[1]!),
    );
    const accepted = [...own].filter(
      (first) => problems({ ...complete, KW_PUBLIC_URL: `https://example.com/${first}` }).length === 0,
    );
    assert.deepEqual(accepted, ['']);
  });

  it('warns about misspelt names, with the closest valid one', () => {
    const names = {
      KW_SECERT: 'KW_SECRET',
      KW_MAX_UPLOAD_BYTE: 'KW_MAX_UPLOAD_BYTES',
      KW_ADMIN_KEYFILE: 'KW_ADMIN_KEY_FILE',
      KW_S3_ACCES_KEY: 'KW_S3_ACCESS_KEY_ID',
      KW_WHATEVER_THIS_IS: null,
    };
    const known = { ...complete, KW_SECRET_FILE: '', KW_URL: '', KW_API_KEY: '', KW_WORKERS: '2', OTHER: '' };
    const given = Object.fromEntries(Object.keys(names).map((name) => [name, 'x']));
    const found = unknownSettings({ ...known, ...given });
    assert.deepEqual(Object.fromEntries(found.map(({ name, closest }) => [name, closest])), names);
  });

  it('reports all problems at once', () => {
    assert.equal(problems({ ...complete, PORT: 'x', KW_SEED: 'x', HOST: '::' }).length, 2);
  });

  it('requires of each process only the settings it needs', () => {
    const missing = (role: ProcessRole): string[] => problems({}, role).map((line) => line.split(' ')[0]!);
    assert.deepEqual(missing('start'), []);
    assert.deepEqual(missing('keys'), ['DATABASE_URL']);
    assert.deepEqual(missing('migrate'), ['DATABASE_URL']);
    assert.deepEqual(missing('api'), ['KW_SECRET', 'DATABASE_URL', 'TEMPORAL_ADDRESS']);
    assert.deepEqual(missing('worker'), ['KW_PUBLIC_URL', 'KW_SECRET', 'DATABASE_URL', 'TEMPORAL_ADDRESS']);
    assert.match(problems({ DATABASE_URL: complete.DATABASE_URL }, 'start').join(), /^KW_SECRET is missing/);
  });

  it('is described by .env.example', () => {
    assert.equal(
      readFileSync('.env.example', 'utf8'),
      renderEnvExample(),
      'run: node scripts/env-example.mjs',
    );
  });
});
