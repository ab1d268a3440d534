import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse as parseYaml } from 'yaml';

import { loadConfig } from '../runtime/settings/config.js';
import { settings } from '../runtime/settings/settings.js';

interface Service {
  readonly image: string;
  readonly build?: string;
  readonly command?: readonly string[];
  readonly restart: string;
  readonly read_only?: boolean;
  readonly user?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly networks?: readonly string[];
  readonly network_mode?: string;
  readonly volumes?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}

const top = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): string => readFileSync(join(top, path), 'utf8');

/** Names and values of a file like .env; what is commented out counts as well, without its value. */
function readEnvFile(text: string): Map<string, string> {
  const lines = [...text.matchAll(/^(#?)([A-Z][A-Z0-9_]*)=(.*)$/gm)];
  return new Map(lines.map(([, off, name, value]) => [name!, off === '' ? value! : '']));
}

/** Fills in ${NAME}, ${NAME:-default} and ${NAME:?message}, from the inside out. */
function interpolate(text: string, env: Readonly<Record<string, string>>): string {
  const replaced = text.replace(/\$\{([A-Z0-9_]+)(?::([-?])([^{}]*))?\}/g, (_, name, kind, rest) => {
    const value = env[name as string] ?? '';
    if (value !== '') return value;
    assert.notEqual(kind, '?', `${String(name)} is required`);
    return (rest as string | undefined) ?? '';
  });
  return replaced === text ? text : interpolate(replaced, env);
}

describe('docker-compose.yml', () => {
  const text = read('docker-compose.yml');
  const parse = (yaml: string): unknown => parseYaml(yaml, { merge: true });
  const { services, volumes, networks } = parse(text) as {
    services: Record<string, Service>;
    networks: Record<string, { readonly internal?: boolean }>;
    volumes: Record<string, null>;
  };
  const example = readEnvFile(read('.env.compose.example'));
  const required = new Set([...text.matchAll(/\$\{([A-Z0-9_]+):\?/g)].map(([, name]) => name!));

  const all = Object.entries(services);
  const conditions = all.flatMap(([, { depends_on = {} }]) => Object.entries(depends_on));
  const jobs = new Set(
    conditions
      .filter(([, { condition }]) => condition === 'service_completed_successfully')
      .map(([name]) => name),
  );
  const ours = all.filter(([, { build }]) => build !== undefined);

  it('is valid according to the schema of the Compose Specification', () => {
    const schema = JSON.parse(read('test/fixtures/compose-spec/compose-spec.json')) as object;
    const validate = new Ajv2020({ strict: false, allErrors: true, validateFormats: false }).compile(schema);
    assert.equal(validate(parse(text)), true, JSON.stringify(validate.errors, null, 2));
    assert.equal(validate(parse(text.replace('healthcheck:', 'health_check:'))), false);
  });

  it('runs API, worker and migrations with valid settings', () => {
    assert.deepEqual(
      ours.map(([name, { command }]) => [name, command]),
      [
        ['api', ['serve']],
        ['worker', ['worker']],
        ['migrate', ['migrate']],
      ],
    );
    const env = Object.fromEntries([...required].map((name) => [name, '0123456789abcdef']));
    for (const [name, { environment = {} }] of ours) {
      const unknown = Object.keys(environment).filter((setting) => !(setting in settings));
      assert.deepEqual(unknown, [], `${name} is given what is no setting`);
      const values = Object.entries(environment).map(([key, value]) => [key, interpolate(value, env)]);
      const config = loadConfig(
        Object.fromEntries(values) as Record<string, string>,
        name as 'api' | 'worker' | 'migrate',
      );
      assert.equal(config.publicUrl, 'http://127.0.0.1:8080');
      assert.equal(config.s3?.endpoint, 'http://s3:7070');
    }
  });

  it('passes every setting on, except those of parts that it does not use', () => {
    const others =
      /^(TEMPORAL_(API_KEY|TLS|CLI_PATH)|KW_S3_(CA_CERT|FORCE)|KW_(OBJECT|DATA)_DIR|OTEL_SERVICE_NAME)/;
    const passed = new Set(ours.flatMap(([, { environment = {} }]) => Object.keys(environment)));
    const missing = Object.keys(settings).filter((name) => !passed.has(name) && !others.test(name));
    assert.deepEqual(missing, []);
  });

  it('pins every image', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string };
    for (const [name, { image }] of ours) assert.equal(image, `knowledge-warehouse:${version}`, name);
    for (const [name, { image }] of all) assert.match(image, /:v?\d+\.\d+(\.\d+)?(-[\w.]+)?$/, name);
    const bases = [...read('Dockerfile').matchAll(/^FROM (\S+)/gm)].map(([, image]) => image!);
    const stages = new Set([...read('Dockerfile').matchAll(/^FROM \S+ AS (\S+)/gm)].map(([, name]) => name));
    for (const base of bases.filter((name) => !stages.has(name)))
      assert.match(base, /:\d+\.\d+\.\d+(-[\w.]+)*$/);
  });

  it('has health checks for all services except jobs that run once', () => {
    const unchecked = all.filter(([, { healthcheck }]) => healthcheck === undefined).map(([name]) => name);
    assert.deepEqual(unchecked.sort(), [...jobs].sort());
    for (const [name, { restart }] of all)
      assert.equal(restart, jobs.has(name) ? 'no' : 'unless-stopped', name);
  });

  it('waits only for existing services, and for health only if they have a check', () => {
    for (const [name, { condition }] of conditions) {
      assert.ok(services[name], name);
      if (condition === 'service_healthy') assert.ok(services[name].healthcheck, name);
    }
  });

  it('publishes ports on 127.0.0.1 only', () => {
    const published = all.flatMap(([name, { ports = [] }]) => ports.map((port) => [name, port] as const));
    assert.deepEqual(
      published.map(([name]) => name),
      ['api', 'temporal-ui', 'prometheus', 'grafana'],
    );
    for (const [name, port] of published) assert.match(port, /^127\.0\.0\.1:/, name);
  });

  it('connects each service only with those that use it', () => {
    const usersOf = {
      postgres: ['api', 'migrate', 'temporal', 'temporal-schema', 'worker'],
      temporal: [
        'api',
        'migrate',
        'postgres',
        'temporal-namespace',
        'temporal-schema',
        'temporal-ui',
        'worker',
      ],
      s3: ['api', 'worker'],
      'temporal-ui': ['api', 'migrate', 'temporal', 'temporal-namespace', 'worker'],
      prometheus: ['api', 'grafana', 'worker'],
      grafana: ['prometheus'],
    };
    const membersOf = (network: string): string[] =>
      all.filter(([, service]) => service.networks?.includes(network)).map(([name]) => name);
    for (const [name, users] of Object.entries(usersOf)) {
      const near = services[name]?.networks?.flatMap(membersOf).filter((other) => other !== name);
      assert.deepEqual([...new Set(near)].sort(), users, name);
    }
    for (const [name, service] of all) {
      if (service.network_mode === 'none') continue;
      // Without any it would be in the one that Compose makes for all, which leads outside.
      assert.ok((service.networks ?? []).length > 0, `${name} is in no network of its own`);
      const outside = (service.networks ?? []).filter((network) => networks[network]?.internal !== true);
      const needsIt = service.ports !== undefined || name === 'worker';
      assert.deepEqual(outside, needsIt ? [name] : [], `${name} leads outside`);
      for (const network of outside) assert.deepEqual(membersOf(network), [name]);
    }
  });

  it('runs on read-only file systems, and mounts only existing paths', () => {
    for (const [name, service] of all) {
      assert.equal(service.read_only, true, name);
      for (const source of (service.volumes ?? []).map((mount) => mount.split(':')[0]!)) {
        if (source.startsWith('./')) assert.ok(existsSync(join(top, source)), source);
        else assert.ok(source in volumes, source);
      }
    }
  });

  it('is backed up without its search index, which lies in the same volume', () => {
    const [, folder] = /KW_SEARCH_URI: lancedb:s3:\/\/(\S+)/.exec(text) ?? [];
    assert.ok(read('docs/docker-compose.md').includes(` --exclude=./${folder} `), folder);
  });

  it('reads from .env what .env.compose.example lists, and requires every secret', () => {
    const used = new Set([...text.matchAll(/\$\{([A-Z0-9_]+)/g)].map(([, name]) => name!));
    assert.deepEqual([...example.keys()].sort(), [...used].sort());
    for (const name of used)
      assert.equal(required.has(name), /SECRET|PASSWORD/.test(name), `${name} is required`);
    for (const [name, value] of example)
      assert.equal(value, '', `${name} has no value that works everywhere`);
  });
});
