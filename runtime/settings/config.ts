import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';

import { messageOf } from '../../core/errors.js';
import { temporaryFolderProblem } from '../temporary-folder.js';
import { readSecretFiles } from './secret-files.js';
import { warnOfUnknownSettings } from './unknown-settings.js';
import type { ProcessRole, Setting } from './setting-types.js';
import {
  readSettings,
  settings,
  type Environment,
  type SettingName,
  type SettingValues,
} from './settings.js';

export type { Environment } from './settings.js';

export interface TemporalConfig {
  /** host:port of Temporal's frontend. */
  readonly address: string;
  readonly namespace: string;
  readonly apiKey: string | null;
  readonly tls: null | {
    readonly serverName?: string;
    readonly caFile?: string;
    readonly certFile?: string;
    readonly keyFile?: string;
  };
  /** Base URL of the Web UI, without a trailing slash. */
  readonly uiUrl: string | null;
}

export interface S3Config {
  readonly endpoint?: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId?: string;
  readonly secretAccessKey?: string;
  readonly forcePathStyle: boolean;
  /** A file of CA certificates to trust for the server; if absent, those that Node trusts. */
  readonly caFile?: string;
  /** Seconds of silence after which a request is abandoned. */
  readonly timeoutSeconds: number;
}

export interface RerankConfig {
  readonly url: string;
  readonly model: string | null;
  readonly apiKey: string | null;
}

export interface TracingConfig {
  /** The receiver's base URL, without a trailing slash. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Null uses a default name for each kind of process. */
  readonly serviceName: string | null;
  readonly resourceAttributes: Readonly<Record<string, string>>;
  readonly sampler: SettingValues['OTEL_TRACES_SAMPLER'];
  /** 0 to 1. */
  readonly samplerArg: number;
}

export interface Config {
  readonly host: string;
  readonly port: number;
  /** Base of all URLs that the service returns, without a trailing slash. */
  readonly publicUrl: string;
  /** Absolute path. */
  readonly dataDir: string;
  /** The first one signs and encrypts, all of them verify and decrypt. Empty only for processes that need none. */
  readonly secrets: readonly string[];
  /** The admin key to create in a database without one; null for none. */
  readonly adminKey: string | null;
  readonly databaseUrl: string;
  readonly databasePoolSize: number;
  readonly databaseTimeoutSeconds: number;
  readonly temporal: TemporalConfig;
  readonly temporalTimeoutSeconds: number;
  /** Null stores objects as files below `objectDirectory`. */
  readonly s3: S3Config | null;
  /** Absolute path. */
  readonly objectDirectory: string;
  /** `lancedb:`, followed by a path, `s3://…` or nothing. */
  readonly searchUri: string;
  /** Null keeps the original order of hits. */
  readonly rerank: RerankConfig | null;
  readonly maxUploadBytes: number;
  readonly maxArtifactBytes: number;
  /** Requests per minute and API key; 0 means no limit. */
  readonly rateLimit: number;
  /** Addresses and CIDRs. If empty, no forwarded headers are trusted. */
  readonly trustedProxies: readonly string[];
  /** Origins as browsers send them, or `*`. If empty, pages of other origins may not call the API. */
  readonly corsOrigins: readonly string[];
  readonly urlAllow: readonly string[];
  readonly urlTimeoutSeconds: number;
  readonly pluginHosts: readonly string[];
  readonly seed: boolean;
  readonly logLevel: SettingValues['KW_LOG_LEVEL'];
  readonly logFormat: 'json' | 'pretty';
  /** host:port of a worker's health endpoints; null turns them off. */
  readonly workerHealthAddress: string | null;
  /** host:port of a worker's metrics, including those of Temporal's SDK; null turns them off. */
  readonly workerMetricsAddress: string | null;
  readonly temporalMetricsAddress: string | null;
  /** Null turns tracing off. */
  readonly tracing: TracingConfig | null;
  readonly sweepIntervalSeconds: number;
  /** How long a stopping API still accepts new connections. */
  readonly drainSeconds: number;
  /** How long running requests may take after that. */
  readonly shutdownGraceSeconds: number;
  /** Whether browsers are told to use https for subdomains too. */
  readonly hstsIncludeSubdomains: boolean;
  readonly leaseSeconds: number;
}

/** The settings do not allow a start. The message has one line per problem, to be printed unchanged. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
  }
}

/**
 * The environment of this process, extended by a file `.env` in the working directory. The only place that reads the
 * process's own environment.
 */
export function readEnvironment(): Environment {
  const file = resolve('.env');
  const fromFile = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {};
  // oxlint-disable-next-line no-restricted-properties -- the only place that reads it
  return { ...fromFile, ...process.env };
}

/**
 * Loads the configuration of a process and validates it as a whole.
 *
 * @param env The environment, as `readEnvironment` returns it.
 * @param role The kind of process, which determines the required settings.
 * @throws ConfigError with one line for each setting that is missing, invalid or misspelt.
 */
export function loadConfig(env: Environment, role: ProcessRole = 'api'): Config {
  const { config, problems: ofSettings } = inspectConfig(env, role);
  const isService = role === 'api' || role === 'worker';
  // A full disk is not a wrong setting: the service waits for space.
  const ofFolder = isService || role === 'start' ? temporaryFolderProblem(['ENOSPC', 'EDQUOT']) : null;
  const problems = [...ofSettings, ...(ofFolder === null ? [] : [ofFolder])];
  if (problems.length === 0) return config;
  // A missing setting may be misspelt. The other commands have already warned about that.
  throw new ConfigError([...problems, ...(isService ? warnOfUnknownSettings(env) : [])]);
}

/** Reads the configuration for callers that go on despite problems: missing or invalid settings get their defaults. */
export function inspectConfig(
  given: Environment,
  role: ProcessRole,
): { readonly config: Config; readonly problems: readonly string[] } {
  const { env, problems: ofFiles } = readSecretFiles(given);
  const { values, problems } = readSettings(env);
  return {
    config: toConfig(values),
    problems: [...ofFiles, ...problems, ...missing(env, role), ...contradictions(values, role)],
  };
}

function missing(env: Environment, role: ProcessRole): string[] {
  return Object.entries<Setting<unknown>>(settings)
    .filter(([name, setting]) => setting.neededBy.includes(role) && (env[name] ?? '').trim() === '')
    .filter(([name]) => (env[`${name}_FILE`] ?? '').trim() === '')
    .map(([name, setting]) => `${name} is missing. ${setting.description}`);
}

function contradictions(values: SettingValues, role: ProcessRole): string[] {
  const problems: string[] = [];
  const together = (first: SettingName, second: SettingName): void => {
    if ((values[first] === null) !== (values[second] === null)) {
      problems.push(`${first} and ${second} must be set together or not at all.`);
    }
  };
  if (['start', 'api'].includes(role) && isWildcard(values.HOST) && values.KW_PUBLIC_URL === null) {
    problems.push(
      `KW_PUBLIC_URL is missing. HOST is ${values.HOST}, so the service cannot know the URL at which clients reach the API.`,
    );
  }
  const [, first = ''] =
    values.KW_PUBLIC_URL === null ? [] : new URL(values.KW_PUBLIC_URL).pathname.split('/');
  if (ownSegments.includes(first)) {
    problems.push(
      `KW_PUBLIC_URL must not have a path that begins with /${first}: the service uses paths below it.`,
    );
  }
  if (role === 'start' && values.DATABASE_URL !== null && values.KW_SECRET === null) {
    problems.push(
      'KW_SECRET is missing. With DATABASE_URL it is not generated, because all processes that use the database share it.',
    );
  }
  if (values.KW_S3_BUCKET === null && (values.KW_S3_ENDPOINT ?? values.KW_S3_ACCESS_KEY_ID) !== null) {
    problems.push('KW_S3_BUCKET is missing. Other settings for S3 are set.');
  }
  for (const name of ['KW_WORKER_HEALTH_ADDRESS', 'KW_WORKER_METRICS_ADDRESS'] as const) {
    if (values[name] !== null && values[name] === values.KW_TEMPORAL_METRICS_ADDRESS) {
      problems.push(
        `${name} and KW_TEMPORAL_METRICS_ADDRESS are both ${values[name]}: give the metrics of Temporal's SDK their own port.`,
      );
    }
  }
  together('KW_S3_ACCESS_KEY_ID', 'KW_S3_SECRET_ACCESS_KEY');
  together('TEMPORAL_TLS_CLIENT_CERT_PATH', 'TEMPORAL_TLS_CLIENT_KEY_PATH');
  for (const name of [
    'TEMPORAL_TLS_SERVER_CA_CERT_PATH',
    'TEMPORAL_TLS_CLIENT_CERT_PATH',
    'TEMPORAL_TLS_CLIENT_KEY_PATH',
    'KW_S3_CA_CERT_PATH',
  ] as const) {
    const path = values[name];
    const reason = path === null ? null : unreadable(path);
    if (reason !== null) problems.push(`${name}: ${path} cannot be read: ${reason}.`);
  }
  return problems;
}

function unreadable(path: string): string | null {
  try {
    readFileSync(path);
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

/** First segments of our own paths. With one of them as base path, it is unclear whether a proxy has stripped it. */
const ownSegments = [
  'api',
  'assets',
  'audit',
  'docs',
  'health',
  'keys',
  'login',
  'mcp',
  'metrics',
  'overview',
  'pipelines',
  'plugins',
  'resources',
  'search',
  'system',
];

function isWildcard(host: string): boolean {
  return ['0.0.0.0', '::', '[::]', '*'].includes(host);
}

/** Builds the configuration. Required settings that are missing are empty here. */
function toConfig(values: SettingValues): Config {
  const dataDir = resolve(values.KW_DATA_DIR);
  return {
    host: values.HOST,
    port: values.PORT,
    publicUrl: values.KW_PUBLIC_URL ?? localUrl(values.HOST, values.PORT),
    dataDir,
    secrets: values.KW_SECRET ?? [],
    adminKey: values.KW_ADMIN_KEY,
    databaseUrl: values.DATABASE_URL ?? '',
    databasePoolSize: values.KW_DATABASE_POOL_SIZE,
    databaseTimeoutSeconds: values.KW_DATABASE_TIMEOUT_SECONDS,
    temporal: {
      address: values.TEMPORAL_ADDRESS ?? '',
      namespace: values.TEMPORAL_NAMESPACE,
      apiKey: values.TEMPORAL_API_KEY,
      tls: temporalTls(values),
      uiUrl: values.TEMPORAL_UI_URL,
    },
    temporalTimeoutSeconds: values.KW_TEMPORAL_TIMEOUT_SECONDS,
    s3: s3(values),
    objectDirectory: resolve(values.KW_OBJECT_DIR ?? `${dataDir}/objects`),
    searchUri: values.KW_SEARCH_URI,
    rerank:
      values.KW_RERANK_URL === null
        ? null
        : { url: values.KW_RERANK_URL, model: values.KW_RERANK_MODEL, apiKey: values.KW_RERANK_API_KEY },
    maxUploadBytes: values.KW_MAX_UPLOAD_BYTES,
    maxArtifactBytes: values.KW_MAX_ARTIFACT_BYTES,
    rateLimit: values.KW_RATE_LIMIT,
    trustedProxies: values.KW_TRUSTED_PROXIES ?? [],
    corsOrigins: values.KW_CORS_ORIGINS ?? [],
    urlAllow: values.KW_URL_ALLOW ?? [],
    urlTimeoutSeconds: values.KW_URL_TIMEOUT_SECONDS,
    pluginHosts: values.KW_PLUGIN_HOSTS ?? [],
    seed: values.KW_SEED,
    logLevel: values.KW_LOG_LEVEL,
    logFormat: values.KW_LOG_FORMAT,
    workerHealthAddress: values.KW_WORKER_HEALTH_ADDRESS,
    workerMetricsAddress: values.KW_WORKER_METRICS_ADDRESS,
    temporalMetricsAddress: values.KW_TEMPORAL_METRICS_ADDRESS,
    tracing: tracing(values),
    sweepIntervalSeconds: values.KW_SWEEP_INTERVAL_SECONDS,
    drainSeconds: values.KW_DRAIN_SECONDS,
    shutdownGraceSeconds: values.KW_SHUTDOWN_GRACE_SECONDS,
    hstsIncludeSubdomains: values.KW_HSTS_INCLUDE_SUBDOMAINS,
    leaseSeconds: values.KW_LEASE_SECONDS,
  };
}

/** The URL of a server that listens on this address and port. */
export function localUrl(host: string, port: number): string {
  return `http://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`;
}

function temporalTls(values: SettingValues): TemporalConfig['tls'] {
  const files = {
    ...(values.TEMPORAL_TLS_SERVER_NAME !== null && { serverName: values.TEMPORAL_TLS_SERVER_NAME }),
    ...(values.TEMPORAL_TLS_SERVER_CA_CERT_PATH !== null && {
      caFile: values.TEMPORAL_TLS_SERVER_CA_CERT_PATH,
    }),
    ...(values.TEMPORAL_TLS_CLIENT_CERT_PATH !== null && { certFile: values.TEMPORAL_TLS_CLIENT_CERT_PATH }),
    ...(values.TEMPORAL_TLS_CLIENT_KEY_PATH !== null && { keyFile: values.TEMPORAL_TLS_CLIENT_KEY_PATH }),
  };
  const wanted = values.TEMPORAL_TLS ?? (values.TEMPORAL_API_KEY !== null || Object.keys(files).length > 0);
  return wanted ? files : null;
}

function tracing(values: SettingValues): TracingConfig | null {
  if (values.OTEL_EXPORTER_OTLP_ENDPOINT === null) return null;
  return {
    endpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT,
    headers: values.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    serviceName: values.OTEL_SERVICE_NAME,
    resourceAttributes: values.OTEL_RESOURCE_ATTRIBUTES ?? {},
    sampler: values.OTEL_TRACES_SAMPLER,
    samplerArg: values.OTEL_TRACES_SAMPLER_ARG,
  };
}

function s3(values: SettingValues): S3Config | null {
  if (values.KW_S3_BUCKET === null) return null;
  return {
    bucket: values.KW_S3_BUCKET,
    region: values.KW_S3_REGION,
    forcePathStyle: values.KW_S3_FORCE_PATH_STYLE ?? values.KW_S3_ENDPOINT !== null,
    timeoutSeconds: values.KW_S3_TIMEOUT_SECONDS,
    ...(values.KW_S3_CA_CERT_PATH !== null && { caFile: values.KW_S3_CA_CERT_PATH }),
    ...(values.KW_S3_ENDPOINT !== null && { endpoint: values.KW_S3_ENDPOINT }),
    ...(values.KW_S3_ACCESS_KEY_ID !== null && { accessKeyId: values.KW_S3_ACCESS_KEY_ID }),
    ...(values.KW_S3_SECRET_ACCESS_KEY !== null && { secretAccessKey: values.KW_S3_SECRET_ACCESS_KEY }),
  };
}
