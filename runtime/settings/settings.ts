import {
  addressOrCidr,
  adminKey,
  bucketName,
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

/** Every setting of every process: its name in the environment, and what it means. */
export const settings = {
  HOST: text({ default: '127.0.0.1', description: 'Address the API listens on.' }),
  PORT: number({ default: 8080, min: 1, max: 65535, description: 'Port the API listens on.' }),
  KW_PUBLIC_URL: httpUrl({
    description:
      'The URL at which clients, browsers and plugin workers reach the API; the base of every URL in responses. It can have a path. Required if HOST is a wildcard address, and for a separate worker.',
    neededBy: ['worker'],
    shownDefault: 'http://HOST:PORT',
  }),
  KW_DATA_DIR: text({
    default: '.kw',
    description: 'Folder for the state of "npm start" and for the objects of the file object store.',
  }),
  KW_SECRET: list({
    secret: true,
    description: `Signs tokens and encrypts secrets at rest; at least ${secretLength} characters. It can list several, separated by commas: the first signs and encrypts, and all are accepted. All processes of a database need the same value. "npm start" generates and stores one, unless DATABASE_URL is set.`,
    neededBy: ['api', 'worker'],
    check: longEnough,
  }),
  KW_ADMIN_KEY: optionalText({
    secret: true,
    description:
      'An API key with the scope admin: at least 32 random characters, such as the output of "openssl rand -hex 32". "kw migrate" and "npm start" create it in a database without a valid admin key.',
    check: adminKey,
  }),
  KW_SEED: flag({
    default: true,
    description: 'Whether to create the pipelines document and webpage in a database without pipelines.',
  }),

  DATABASE_URL: optionalText({
    type: 'URL',
    secret: true,
    description:
      'PostgreSQL, postgres://user:password@host:port/database. Without it, "npm start" runs its own.',
    neededBy: ['api', 'worker', 'migrate', 'keys', 'verify'],
    check: postgresUrl,
  }),
  KW_DATABASE_POOL_SIZE: number({
    default: 10,
    min: 2,
    max: 500,
    description: 'The maximum number of connections that one process opens to PostgreSQL.',
  }),
  KW_DATABASE_TIMEOUT_SECONDS: number({
    default: 10,
    min: 1,
    max: 600,
    description: 'Time limit in seconds for an SQL statement of the API; workers wait three times as long.',
  }),

  TEMPORAL_ADDRESS: optionalText({
    type: 'host:port',
    description: 'The address of Temporal\'s frontend. Without it, "npm start" runs its own server.',
    neededBy: ['api', 'worker'],
    check: hostAndPort,
  }),
  TEMPORAL_NAMESPACE: text({ default: 'default', description: 'Temporal namespace.' }),
  TEMPORAL_API_KEY: optionalText({ secret: true, description: 'API key for Temporal; turns TLS on.' }),
  TEMPORAL_TLS: flag({
    default: null,
    description: 'Whether to use TLS with Temporal.',
    shownDefault: 'true if an API key or another TLS setting is set',
  }),
  TEMPORAL_TLS_SERVER_NAME: optionalText({ description: "The expected name in Temporal's certificate." }),
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: optionalText({
    type: 'path',
    description: 'File with the CA certificates to trust for Temporal, as PEM.',
  }),
  TEMPORAL_TLS_CLIENT_CERT_PATH: optionalText({
    type: 'path',
    description: 'File with the client certificate for Temporal, as PEM.',
  }),
  TEMPORAL_TLS_CLIENT_KEY_PATH: optionalText({
    type: 'path',
    description: 'File with the private key of the client certificate, as PEM.',
  }),
  KW_TEMPORAL_TIMEOUT_SECONDS: number({
    default: 10,
    min: 1,
    max: 600,
    description: 'Time limit in seconds for a call to Temporal; a call that exceeds it is retried later.',
  }),
  TEMPORAL_UI_URL: httpUrl({ description: 'The Temporal Web UI, for links to it.' }),
  TEMPORAL_CLI_PATH: optionalText({
    type: 'path',
    description: 'The Temporal CLI that "npm start" runs, instead of one that it finds, downloads or builds.',
  }),

  KW_S3_BUCKET: optionalText({
    description: 'S3 bucket for uploads and artifacts. Without it, they are stored in files.',
    check: bucketName,
  }),
  KW_S3_ENDPOINT: httpUrl({ description: "URL of an S3 server other than Amazon's." }),
  KW_S3_REGION: text({ default: 'us-east-1', description: 'S3 region.' }),
  KW_S3_ACCESS_KEY_ID: optionalText({
    description:
      'S3 access key. Without it, the AWS SDK uses the credentials that it finds (profile, instance role).',
  }),
  KW_S3_SECRET_ACCESS_KEY: optionalText({
    secret: true,
    description: 'The secret of the S3 access key.',
  }),
  KW_S3_CA_CERT_PATH: optionalText({
    type: 'path',
    description:
      'File with the CA certificates to trust for the S3 server, as PEM. LanceDB does not read it: see KW_SEARCH_URI.',
    shownDefault: 'those that Node trusts',
  }),
  KW_S3_FORCE_PATH_STYLE: flag({
    default: null,
    description: 'Whether the bucket is in the path of the URL instead of its host name.',
    shownDefault: 'true if KW_S3_ENDPOINT is set',
  }),
  KW_S3_TIMEOUT_SECONDS: number({
    default: 10,
    min: 1,
    max: 600,
    description:
      'Seconds of silence after which a request to S3 times out; each request is tried three times.',
  }),
  KW_OBJECT_DIR: optionalText({
    type: 'path',
    description: 'Folder of the file object store; API and worker must share it.',
    shownDefault: 'KW_DATA_DIR/objects',
  }),

  KW_SEARCH_URI: text({
    default: 'lancedb:',
    description:
      'The location of the search index, shared by API and worker: lancedb: is the folder KW_DATA_DIR/search, lancedb:/path another folder. lancedb:s3://bucket/prefix is for several machines; it uses the endpoint and keys of KW_S3_*. With a private certificate authority, also set SSL_CERT_FILE to a file with the authorities of the system and your own.',
    check: searchUri,
  }),
  KW_RERANK_URL: httpUrl({
    description:
      'The full URL of a reranker that reorders the best hits of a search, with the API of text-embeddings-inference (http://127.0.0.1:8081/rerank) or Cohere. KW_PLUGIN_HOSTS must allow its host unless it is public.',
  }),
  KW_RERANK_MODEL: optionalText({
    description: 'The model of the reranker, if it has several.',
  }),
  KW_RERANK_API_KEY: optionalText({ secret: true, description: 'The key for the reranker.' }),

  KW_MAX_UPLOAD_BYTES: number({
    default: 5 * 1024 ** 3,
    min: 1,
    max: 5 * 1024 ** 4,
    description: 'The maximum size of a file, uploaded or from a URL.',
  }),
  KW_MAX_ARTIFACT_BYTES: number({
    default: 1024 ** 3,
    min: 1,
    max: 5 * 1024 ** 4,
    description: 'The maximum size of the content of one artifact.',
  }),
  KW_RATE_LIMIT: number({
    default: 6000,
    min: 0,
    max: 1e9,
    description:
      'Requests per minute that one API process accepts from one API key; 0: no limit. A key can have its own limit.',
    shownDefault: '6000; with "npm start" 0',
  }),
  KW_TRUSTED_PROXIES: list({
    description:
      'Addresses and CIDRs of the proxies in front of the API. Their X-Forwarded-For, -Proto and -Host headers are trusted; without this setting, they are ignored.',
    check: addressOrCidr,
  }),
  KW_CORS_ORIGINS: list({
    description:
      'Origins whose pages may call the API from a browser, with an API key; * for all. Default: none.',
    check: origin,
  }),
  KW_URL_ALLOW: list({
    description:
      'Hosts that URL sources may use even if their address is loopback, private or otherwise special; with or without a port, as in the URL.',
    check: hostWithOptionalPort,
  }),
  KW_URL_TIMEOUT_SECONDS: number({
    default: 300,
    min: 1,
    // Temporal ends the activity that fetches after an hour, with a message that does not name the host.
    max: 3500,
    description: 'Time limit in seconds for fetching a URL source, at most 3500.',
  }),
  KW_PLUGIN_HOSTS: list({
    description:
      'Hosts that plugins may call or run on even if their address is loopback, private or otherwise special.',
    shownDefault: 'none; with "npm start" 127.0.0.1,localhost,[::1]',
    check: hostWithOptionalPort,
  }),

  KW_DRAIN_SECONDS: number({
    default: 5,
    min: 0,
    max: 3600,
    whole: false,
    description:
      'Seconds that an API continues to serve after SIGTERM while /health/ready is 503, so that load balancers remove it.',
    shownDefault: '5; with "npm start" 0',
  }),
  KW_SHUTDOWN_GRACE_SECONDS: number({
    default: 20,
    min: 0,
    max: 3600,
    whole: false,
    description:
      'Seconds that a stopping API gives running requests, uploads and downloads before it interrupts them.',
    shownDefault: '20; with "npm start" 5',
  }),
  KW_HSTS_INCLUDE_SUBDOMAINS: flag({
    default: false,
    description:
      'Whether browsers that reach KW_PUBLIC_URL over https must use https for all subdomains of its host too.',
  }),
  KW_LOG_LEVEL: choice({
    default: 'info',
    of: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    description: 'The lowest level that is logged.',
  }),
  KW_LOG_FORMAT: choice({
    default: 'json',
    of: ['json', 'pretty'],
    description: 'The format of the logs that API and worker write to standard output.',
  }),
  KW_WORKER_HEALTH_ADDRESS: optionalText({
    type: 'host:port',
    description:
      'The address at which a worker serves /health/live and /health/ready for probes; default: none. It can be the address of its metrics.',
    check: hostAndPort,
  }),
  KW_WORKER_METRICS_ADDRESS: optionalText({
    type: 'host:port',
    description:
      'The address at which a worker serves its /metrics for Prometheus; default: none. Anyone who reaches that address can read them. (The API has its own /metrics.)',
    check: hostAndPort,
  }),
  KW_TEMPORAL_METRICS_ADDRESS: optionalText({
    type: 'host:port',
    description:
      "The address at which a worker serves the metrics of Temporal's SDK: slots, pollers, tasks, latencies.",
    check: hostAndPort,
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl({
    description:
      'The URL that traces are sent to as OTLP over HTTP (protobuf), without /v1/traces; without this setting, nothing is traced.',
  }),
  OTEL_EXPORTER_OTLP_HEADERS: pairs({
    secret: true,
    description: 'Headers for the receiver of traces, such as its key.',
  }),
  OTEL_SERVICE_NAME: optionalText({
    description: 'The name of the service in traces.',
    shownDefault: 'kw-api and kw-worker',
  }),
  OTEL_RESOURCE_ATTRIBUTES: pairs({
    description:
      'Further attributes of this process in traces, such as deployment.environment.name=production.',
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
      'Which traces are kept. parentbased follows the decision of the caller; without one, the rest of the name applies.',
  }),
  OTEL_TRACES_SAMPLER_ARG: number({
    default: 1,
    min: 0,
    max: 1,
    whole: false,
    description: 'The share of traces that the ratio samplers keep.',
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
      'Seconds after which other processes take over the work of a killed process: its messages to Temporal, and its Idempotency-Keys.',
  }),
} as const;

export type SettingName = keyof typeof settings;

/** The values of all settings, by name. */
export type SettingValues = {
  readonly [Name in SettingName]: (typeof settings)[Name] extends Setting<infer T> ? T : never;
};

/** What a process is started with: names and texts. */
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
