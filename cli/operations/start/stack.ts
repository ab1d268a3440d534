import { join } from 'node:path';

import { createApiKey, createFirstAdminKey, findApiKey } from '../../../storage/auth/api-keys.js';
import { migrate } from '../../../storage/migrate.js';
import { messageOf } from '../../../core/errors.js';
import type { Config, Environment } from '../../../runtime/settings/config.js';
import { unknownSettings } from '../../../runtime/settings/unknown-settings.js';
import type { DataDirectory } from '../../../runtime/embedded/data-dir.js';
import type { KeptPorts } from '../../../runtime/embedded/ports.js';
import { startPostgres } from '../../../runtime/embedded/postgres/server.js';
import { StartError } from '../../../runtime/embedded/start-error.js';
import { findTemporal } from '../../../runtime/embedded/temporal/binary.js';
import { startTemporalServer } from '../../../runtime/embedded/temporal/server.js';
import { registerSearchAttributes } from '../../../runtime/temporal/search-attributes.js';
import { connectTemporal, temporalReachable } from '../../../runtime/temporal/connection.js';
import type { ServiceName, serviceModules } from '../fork-service.js';
import { plainTemporal } from '../running-stack.js';
import { withDatabase } from '../with-database.js';
import { startServiceProcess } from './service-process.js';
import type { Supervisor } from './supervise.js';
import type { Terminal } from './terminal.js';

/** What every step of a start receives. */
export interface StackContext {
  readonly env: Environment;
  readonly config: Config;
  readonly directory: DataDirectory;
  readonly ports: KeptPorts;
  /** How long ports of the last start may still be busy: 0 unless parts of it were still running. */
  readonly portWaitMs: number;
  readonly terminal: Terminal;
  readonly supervisor: Supervisor;
  readonly signal: AbortSignal;
}

/** Hosts at which plugins may be called if everything runs on one machine. */
const loopbackHosts = '127.0.0.1,localhost,[::1]';

/** Requests per minute if everything runs on one machine: local users are trusted. */
const noLimit = '0';

/** Starts PostgreSQL, unless an external one is configured, and returns its URL. */
export async function providePostgres(stack: StackContext): Promise<string> {
  const { config, directory, ports, portWaitMs, terminal, supervisor } = stack;
  if (config.databaseUrl !== '') return config.databaseUrl;
  const { url } = await terminal.step(
    'PostgreSQL',
    () =>
      supervisor.keepRunning('postgres', async (onSpawn) => {
        const server = await startPostgres(directory.paths, ports, {
          portWaitMs: portWaitMs || 2000,
          onSpawn,
        });
        return { ...server.daemon, url: server.url, port: server.port };
      }),
    ({ port }) => `127.0.0.1:${port}`,
  );
  return url;
}

/** Starts Temporal, unless an external one is configured, and returns how to reach it. */
export async function provideTemporal(stack: StackContext): Promise<Config['temporal']> {
  const { env, config, directory, ports, portWaitMs, terminal, supervisor, signal } = stack;
  const { namespace } = config.temporal;
  if (config.temporal.address !== '') {
    await greetTemporal(config.temporal, terminal);
    return config.temporal;
  }
  const { address, uiUrl } = await terminal.step(
    'Temporal',
    async (progress) => {
      const binary = await findTemporal(env, progress, signal);
      return supervisor.keepRunning('temporal', async (onSpawn) => {
        const options = { portWaitMs: portWaitMs || 2000, onSpawn };
        const server = await startTemporalServer(binary, namespace, directory.paths, ports, options);
        return { ...server.daemon, address: server.address, uiUrl: server.uiUrl };
      });
    },
    (server) => server.address,
  );
  return { address, namespace, apiKey: null, tls: null, uiUrl };
}

/** An external Temporal: the start does not fail if it is down. */
async function greetTemporal(config: Config['temporal'], terminal: Terminal): Promise<void> {
  const temporal = await connectTemporal(config);
  try {
    const silent = `Temporal at ${config.address} does not answer for the namespace ${config.namespace} yet.`;
    const warning = (await temporalReachable(temporal.connection, config.namespace, 5000))
      ? await registerSearchAttributes(temporal.connection, config.namespace).catch(() => silent)
      : silent;
    if (warning !== null) terminal.warn(`  ${warning}`);
  } finally {
    await temporal.close();
  }
}

/** Brings the database's schema up to date and ensures that the data directory has a valid admin key. */
export async function prepareDatabase(stack: StackContext, url: string): Promise<void> {
  await stack.terminal.step(
    'Database',
    async () => {
      try {
        return await withDatabase({ databaseUrl: url }, async (db) => {
          const { applied } = await migrate(db);
          const kept = stack.directory.readAdminKey();
          const { adminKey: chosen } = stack.config;
          if (chosen !== null && (await createFirstAdminKey(db, chosen))) {
            stack.directory.writeAdminKey(chosen);
          } else if (kept === null || (await findApiKey(db, kept)) === null) {
            const { key } = await createApiKey(db, { name: 'admin', scopes: ['admin'], rate_limit: null });
            stack.directory.writeAdminKey(key);
          }
          return applied;
        });
      } catch (error) {
        throw new StartError(`The database could not be prepared: ${messageOf(error)}`, { cause: error });
      }
    },
    (applied) => (applied.length === 0 ? 'up to date' : `schema migrated to ${applied.at(-1) ?? ''}`),
  );
}

/** Returns the environment of API and worker: the given settings and those that this start determined. */
export function completeEnvironment(
  stack: StackContext,
  found: { readonly databaseUrl: string; readonly temporal: Config['temporal'] },
): Environment {
  const { env, config, directory } = stack;
  return {
    ...passedOn(env),
    HOST: config.host,
    PORT: String(config.port),
    KW_PUBLIC_URL: config.publicUrl,
    KW_DATA_DIR: directory.paths.root,
    KW_SECRET: config.secrets.length > 0 ? config.secrets.join(',') : directory.readSecret(),
    DATABASE_URL: found.databaseUrl,
    TEMPORAL_ADDRESS: found.temporal.address,
    TEMPORAL_NAMESPACE: found.temporal.namespace,
    TEMPORAL_UI_URL: found.temporal.uiUrl ?? '',
    ...(config.temporal.address === '' && plainTemporal),
    KW_PLUGIN_HOSTS: config.pluginHosts.length > 0 ? config.pluginHosts.join(',') : loopbackHosts,
    KW_RATE_LIMIT: stack.env['KW_RATE_LIMIT']?.trim() || noLimit,
    // There is only one API, so no load balancer waits.
    KW_DRAIN_SECONDS: '0',
    KW_SHUTDOWN_GRACE_SECONDS: String(shutdownGraceSeconds(stack)),
    // Less than the worker's default: a user waits at the terminal, and there is no other worker to take the tasks.
    TEMPORAL_POLL_SHUTDOWN_INTERRUPT_WAIT_MS: env['TEMPORAL_POLL_SHUTDOWN_INTERRUPT_WAIT_MS'] ?? '500',
    KW_LOG_FORMAT: 'json',
  };
}

/** Seconds that running requests get at a shutdown. Few by default, since a user waits at the terminal. */
export function shutdownGraceSeconds({ env, config }: Pick<StackContext, 'env' | 'config'>): number {
  const isGiven = (env['KW_SHUTDOWN_GRACE_SECONDS']?.trim() ?? '') !== '';
  return isGiven ? config.shutdownGraceSeconds : 5;
}

/** Leaves out misspelt names, which the terminal has already reported, and empties settings that are replaced. */
function passedOn(env: Environment): Environment {
  const unknown = new Set(unknownSettings(env).map(({ name }) => name));
  const known = Object.entries(env).filter(([name]) => !unknown.has(name));
  return { ...Object.fromEntries(known), ...replaced };
}

/** Empty, because API and worker would read missing ones from `.env` again. */
const replaced = { KW_SECRET_FILE: '', DATABASE_URL_FILE: '', KW_ADMIN_KEY: '', KW_ADMIN_KEY_FILE: '' };

/** Starts API and worker side by side. */
export async function startServices(
  stack: StackContext,
  env: Environment,
  modules: typeof serviceModules,
): Promise<void> {
  const { config, directory, terminal, supervisor } = stack;
  const start = (name: ServiceName, title: string, outcome: string): Promise<unknown> =>
    terminal.step(
      title,
      () =>
        supervisor.keepRunning(name, (onSpawn) =>
          startServiceProcess(title, modules[name], {
            env,
            logFile: join(directory.paths.logs, `${name}.log`),
            onSpawn,
          }),
        ),
      ({ waitsFor }) => (waitsFor === null ? outcome : `waits for ${waitsFor}`),
    );
  await Promise.all([start('worker', 'Worker', 'accepts work'), start('api', 'API', config.publicUrl)]);
}
