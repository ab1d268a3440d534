import {
  addressOrCidr,
  adminKey,
  hostAndPort,
  hostWithOptionalPort,
  longEnough,
  origin,
  postgresUrl,
  searchUri,
  secretLength,
} from './setting-checks.js';
import {
  choice,
  flag,
  httpUrl,
  list,
  number,
  optionalText,
  pairs,
  text,
  type Setting,
} from './setting-types.js';

/** All settings of all processes, by their names in the environment. */
export const settings = {
  HOST: text({ default: '127.0.0.1', description: 'Address the API listens on.' }),
  PORT: number({ default: 8080, min: 1, max: 65535, description: 'Port the API listens on.' }),
  KW_PUBLIC_URL: httpUrl({
    description:
      'Base of all URLs that the service returns: the address at which clients, browsers and plugin workers reach the API. May have a path. Required if HOST is a wildcard address, and by a separate worker.',
    neededBy: ['worker'],
    shownDefault: 'http://HOST:PORT',
  }),
  KW_DATA_DIR: text({
    default: '.kw',
    description: 'Folder for the state of "npm start" and the objects of the file object store.',
  }),
  KW_SECRET: list({
    secret: true,
    description: `Signs tokens and encrypts secrets at rest; at least ${secretLength} characters. May be a comma-separated list: the first signs and encrypts, all are accepted. All processes of a database need the same value. "npm start" creates and stores one, unless DATABASE_URL is set.`,
    neededBy: ['api', 'worker'],
    check: longEnough,
  }),
  KW_ADMIN_KEY: optionalText({
    secret: true,
    description:
      'The first API key with the scope admin, at least 32 characters. "kw migrate" and "npm start" create it in a database without a valid admin key.',
    check: adminKey,
  }),
  KW_SEED: flag({
    default: true,
    description: 'Whether to create two pipelines, document and webpage, in a database without pipelines.',
  }),

  DATABASE_URL: optionalText({
    type: 'URL',
    secret: true,
    description:
      'PostgreSQL, postgres://user:password@host:port/database. If not set, "npm start" runs its own server.',
    neededBy: ['api', 'worker', 'migrate', 'keys', 'verify'],
    check: postgresUrl,
  }),
  KW_DATABASE_POOL_SIZE: number({
    default: 10,
    min: 2,
    max: 500,
    description: 'Maximum number of PostgreSQL connections per process.',
  }),
  KW_DATABASE_TIMEOUT_SECONDS: number({
    default: 10,
    min: 1,
    max: 600,
    description: 'Time-out of SQL statements of the API in seconds; workers wait three times as long.',
  }),

  TEMPORAL_ADDRESS: optionalText({
    type: 'host:port',
    description: 'Temporal\'s frontend. If not set, "npm start" runs its own server.',
    neededBy: ['api', 'worker'],
    check: hostAndPort,
  }),
  TEMPORAL_NAMESPACE: text({ default: 'default', description: 'Temporal namespace.' }),
  TEMPORAL_API_KEY: optionalText({ secret: true, description: 'API key for Temporal; turns TLS on.' }),
  TEMPORAL_TLS: flag({
    default: null,
    description: 'Whether to use TLS for Temporal.',
    shownDefault: 'true when an API key or another TLS setting is given',
  }),
  TEMPORAL_TLS_SERVER_NAME: optionalText({ description: "Host name expected in Temporal's certificate." }),
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: optionalText({
    type: 'path',
    description: 'CA certificates to trust for Temporal, as PEM.',
  }),
  TEMPORAL_TLS_CLIENT_CERT_PATH: optionalText({
    type: 'path',
    description: 'Client certificate for Temporal, as PEM.',
  }),
  TEMPORAL_TLS_CLIENT_KEY_PATH: optionalText({
    type: 'path',
    description: 'Private key of the client certificate, as PEM.',
  }),
  KW_TEMPORAL_TIMEOUT_SECONDS: number({
    default: 10,
    min: 1,
    max: 600,
    description: 'Time-out of calls to Temporal in seconds; failed calls are retried later.',
  }),
  TEMPORAL_UI_URL: httpUrl({ description: 'URL of the Temporal Web UI, for links to it.' }),
  TEMPORAL_CLI_PATH: optionalText({
    type: 'path',
    description: 'Temporal CLI for "npm start" to run, instead of one that it finds, downloads or builds.',
  }),

  KW_S3_BUCKET: optionalText({
    description: 'S3 bucket for uploads and artifacts. If not set, they are stored as files.',
  }),
  KW_S3_ENDPOINT: httpUrl({ description: "URL of the S3 server, if it is not Amazon's." }),
  KW_S3_REGION: text({ default: 'us-east-1', description: 'S3 region.' }),
  KW_S3_ACCESS_KEY_ID: optionalText({
    description:
      'S3 access key. If not set, the AWS SDK looks up credentials itself (profile, instance role).',
  }),
  KW_S3_SECRET_ACCESS_KEY: optionalText({
    secret: true,
    description: 'Secret of the S3 access key.',
  }),
  KW_S3_CA_CERT_PATH: optionalText({
    type: 'path',
    description: 'CA certificates to trust for the S3 server, as PEM.',
    shownDefault: 'those that Node trusts',
  }),
  KW_S3_FORCE_PATH_STYLE: flag({
    default: null,
    description: "Whether the bucket is in the URL's path instead of its host name.",
    shownDefault: 'true when KW_S3_ENDPOINT is given',
  }),
  KW_S3_TIMEOUT_SECONDS: number({
    default: 10,
    min: 1,
    max: 600,
    description: 'Seconds of silence after which a request to S3 is abandoned; each is tried three times.',
  }),
  KW_OBJECT_DIR: optionalText({
    type: 'path',
    description: 'Folder of the file object store; API and worker both need access.',
    shownDefault: 'KW_DATA_DIR/objects',
  }),

  KW_SEARCH_URI: text({
    default: 'lancedb:',
    description:
      'Location of the search index: lancedb: is the folder KW_DATA_DIR/search, lancedb:/path another folder; API and worker both need access. Use lancedb:s3://bucket/prefix for several machines, with the endpoint and keys of KW_S3_*.',
    check: searchUri,
  }),
  KW_RERANK_URL: httpUrl({
    description:
      'Full URL of a reranker for the best hits of a search, such as http://127.0.0.1:8081/rerank: text-embeddings-inference or a Cohere-compatible API. KW_PLUGIN_HOSTS applies to its host.',
  }),
  KW_RERANK_MODEL: optionalText({
    description: 'Model to request from the reranker, if it has several.',
  }),
  KW_RERANK_API_KEY: optionalText({ secret: true, description: 'API key for the reranker.' }),

  KW_MAX_UPLOAD_BYTES: number({
    default: 5 * 1024 ** 3,
    min: 1,
    max: 5 * 1024 ** 4,
    description: 'Maximum file size, uploaded or from a URL.',
  }),
  KW_MAX_ARTIFACT_BYTES: number({
    default: 1024 ** 3,
    min: 1,
    max: 5 * 1024 ** 4,
    description: 'Maximum content size of one artifact.',
  }),
  KW_RATE_LIMIT: number({
    default: 6000,
    min: 0,
    max: 1e9,
    description:
      'Requests per minute that one API process accepts from one API key; 0: no limit. A key may have its own limit.',
    shownDefault: '6000; with "npm start" 0',
  }),
  KW_TRUSTED_PROXIES: list({
    description:
      'Addresses and CIDRs of the proxies in front of the API. X-Forwarded-For, -Proto and -Host are trusted only from them; if not set, from nowhere.',
    check: addressOrCidr,
  }),
  KW_CORS_ORIGINS: list({
    description:
      'Origins whose pages may call the API from a browser, with an API key; * for all. If not set, none.',
    check: origin,
  }),
  KW_URL_ALLOW: list({
    description:
      'Hosts that a URL source may use although their address is loopback, private or otherwise special; as written in the URL, with or without a port.',
    check: hostWithOptionalPort,
  }),
  KW_URL_TIMEOUT_SECONDS: number({
    default: 300,
    min: 1,
    max: 86400,
    description: 'Time limit for fetching a URL source in seconds.',
  }),
  KW_PLUGIN_HOSTS: list({
    description:
      'Hosts that plugins may call or be called at although their address is loopback, private or otherwise special.',
    shownDefault: 'none; with "npm start" 127.0.0.1,localhost,[::1]',
    check: hostWithOptionalPort,
  }),

  KW_DRAIN_SECONDS: number({
    default: 5,
    min: 0,
    max: 3600,
    whole: false,
    description:
      'Seconds that the API continues to serve after SIGTERM while /health/ready returns 503, so that load balancers can remove it.',
    shownDefault: '5; with "npm start" 0',
  }),
  KW_SHUTDOWN_GRACE_SECONDS: number({
    default: 20,
    min: 0,
    max: 3600,
    whole: false,
    description:
      'Seconds that a stopping API gives running requests, including uploads and downloads, before it cuts them off.',
    shownDefault: '20; with "npm start" 5',
  }),
  KW_HSTS_INCLUDE_SUBDOMAINS: flag({
    default: false,
    description:
      'Whether browsers that reach KW_PUBLIC_URL over https are told to use https for all subdomains of its host too.',
  }),
  KW_LOG_LEVEL: choice({
    default: 'info',
    of: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    description: 'Minimum level to log.',
  }),
  KW_LOG_FORMAT: choice({
    default: 'json',
    of: ['json', 'pretty'],
    description: 'Log format of API and worker on standard output.',
  }),
  KW_WORKER_HEALTH_ADDRESS: optionalText({
    type: 'host:port',
    description:
      'Address at which a worker serves /health/live and /health/ready for probes; if not set, it does not. May equal the address of its metrics.',
    check: hostAndPort,
  }),
  KW_WORKER_METRICS_ADDRESS: optionalText({
    type: 'host:port',
    description:
      'Address at which a worker serves /metrics for Prometheus, without authentication; if not set, it does not. (The API serves its own /metrics.)',
    check: hostAndPort,
  }),
  KW_TEMPORAL_METRICS_ADDRESS: optionalText({
    type: 'host:port',
    description:
      "The same for the metrics of Temporal's SDK in a worker: slots, pollers, tasks and latencies.",
    check: hostAndPort,
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl({
    description:
      'Base URL for sending traces as OTLP over HTTP (protobuf), without /v1/traces; if not set, tracing is off.',
  }),
  OTEL_EXPORTER_OTLP_HEADERS: pairs({
    secret: true,
    description: 'Headers for the receiver of traces, such as an API key.',
  }),
  OTEL_SERVICE_NAME: optionalText({
    description: 'Service name in traces.',
    shownDefault: 'kw-api and kw-worker',
  }),
  OTEL_RESOURCE_ATTRIBUTES: pairs({
    description: 'Additional resource attributes of traces, such as deployment.environment.name=production.',
  }),
  OTEL_TRACES_SAMPLER: choice({
    default: 'parentbased_always_on',
    of: [
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ],
    description:
      'Which traces are kept; parentbased_*: as the caller decided, or by the rest of the name if there is no caller.',
  }),
  OTEL_TRACES_SAMPLER_ARG: number({
    default: 1,
    min: 0,
    max: 1,
    whole: false,
    description: 'Fraction of traces to keep with a traceidratio sampler.',
  }),
  KW_SWEEP_INTERVAL_SECONDS: number({
    default: 1,
    min: 0.1,
    max: 3600,
    whole: false,
    description: 'Seconds between two sweeps for work that a crash or an outage left behind.',
  }),
  KW_LEASE_SECONDS: number({
    default: 10,
    min: 1,
    max: 600,
    description:
      'Seconds after which other processes take over the work of a killed process: its messages to Temporal and its Idempotency-Keys.',
  }),
} as const;

export type SettingName = keyof typeof settings;

/** The values of all settings, by name. */
export type SettingValues = {
  readonly [Name in SettingName]: (typeof settings)[Name] extends Setting<infer T> ? T : never;
};

/** The environment of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads all settings. Invalid ones are reported as one line per problem and get their defaults. */
export function readSettings(env: Environment): {
  readonly values: SettingValues;
  readonly problems: string[];
} {
  const problems: string[] = [];
  const values = Object.entries<Setting<unknown>>(settings).map(([name, setting]) => {
    const given = env[name]?.trim() ?? '';
    if (given === '') return [name, setting.default];
    try {
      return [name, setting.parse(given)];
    } catch (error) {
      problems.push(`${name} ${error instanceof Error ? error.message : String(error)}.`);
      return [name, setting.default];
    }
  });
  return { values: Object.fromEntries(values) as SettingValues, problems };
}
