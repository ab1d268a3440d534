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

/** Every setting of every process: its name in the environment, and what it means. */
export const settings = {
  HOST: text({ default: '127.0.0.1', description: 'Address the API listens on.' }),
  PORT: number({ default: 8080, min: 1, max: 65535, description: 'Port the API listens on.' }),
  KW_PUBLIC_URL: httpUrl({
    description:
      'The base of every URL handed out, as clients, browsers and plugin workers reach the API; may have a path. Needed when HOST is a wildcard address and by a worker that runs on its own.',
    neededBy: ['worker'],
    shownDefault: 'http://HOST:PORT',
  }),
  KW_DATA_DIR: text({
    default: '.kw',
    description: 'Folder in which "npm start" keeps its state, and the file object store its objects.',
  }),
  KW_SECRET: list({
    secret: true,
    description: `Signs tokens and encrypts secrets at rest; at least ${secretLength} characters. May list several, separated by commas: the first signs and seals, all are accepted. Every process of a database needs the same. "npm start" makes and keeps one, unless DATABASE_URL is set.`,
    neededBy: ['api', 'worker'],
    check: longEnough,
  }),
  KW_ADMIN_KEY: optionalText({
    secret: true,
    description:
      'The first API key with the scope admin, of at least 32 characters: "kw migrate" and "npm start" make it in a database that has none that works.',
    check: adminKey,
  }),
  KW_SEED: flag({
    default: true,
    description: 'Whether a database that has no pipeline gets two: document and webpage.',
  }),

  DATABASE_URL: optionalText({
    type: 'URL',
    secret: true,
    description:
      'PostgreSQL, postgres://user:password@host:port/database. "npm start" runs one of its own without it.',
    neededBy: ['api', 'worker', 'migrate', 'keys', 'verify'],
    check: postgresUrl,
  }),
  KW_DATABASE_POOL_SIZE: number({
    default: 10,
    min: 2,
    max: 500,
    description: 'Connections to PostgreSQL that one process holds at most.',
  }),
  KW_DATABASE_TIMEOUT_SECONDS: number({
    default: 10,
    min: 1,
    max: 600,
    description:
      'Seconds that a statement of the API may take before it is given up; workers wait three times as long.',
  }),

  TEMPORAL_ADDRESS: optionalText({
    type: 'host:port',
    description: 'Temporal\'s frontend. "npm start" runs a server of its own without it.',
    neededBy: ['api', 'worker'],
    check: hostAndPort,
  }),
  TEMPORAL_NAMESPACE: text({ default: 'default', description: 'Temporal namespace.' }),
  TEMPORAL_API_KEY: optionalText({ secret: true, description: 'API key for Temporal; turns TLS on.' }),
  TEMPORAL_TLS: flag({
    default: null,
    description: 'Whether to speak TLS with Temporal.',
    shownDefault: 'true when an API key or another TLS setting is given',
  }),
  TEMPORAL_TLS_SERVER_NAME: optionalText({ description: "Name to expect in Temporal's certificate." }),
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: optionalText({
    type: 'path',
    description: "Certificates of the authorities that may have signed Temporal's, as PEM.",
  }),
  TEMPORAL_TLS_CLIENT_CERT_PATH: optionalText({
    type: 'path',
    description: 'Our certificate for Temporal, as PEM.',
  }),
  TEMPORAL_TLS_CLIENT_KEY_PATH: optionalText({
    type: 'path',
    description: 'The key that belongs to it, as PEM.',
  }),
  KW_TEMPORAL_TIMEOUT_SECONDS: number({
    default: 10,
    min: 1,
    max: 600,
    description: 'Seconds that a call to Temporal may take before it is given up, and made again later.',
  }),
  TEMPORAL_UI_URL: httpUrl({ description: 'The Temporal Web UI, for links to it.' }),
  TEMPORAL_CLI_PATH: optionalText({
    type: 'path',
    description: 'The temporal program "npm start" runs, instead of one it finds, downloads or builds.',
  }),

  KW_S3_BUCKET: optionalText({
    description: 'S3 bucket for uploads and artifacts. Without it they are kept in files.',
  }),
  KW_S3_ENDPOINT: httpUrl({ description: "URL of the S3 server, where it is not Amazon's." }),
  KW_S3_REGION: text({ default: 'us-east-1', description: 'S3 region.' }),
  KW_S3_ACCESS_KEY_ID: optionalText({
    description:
      'S3 access key. Without it, what the AWS SDK finds by itself (profile, instance role) is used.',
  }),
  KW_S3_SECRET_ACCESS_KEY: optionalText({
    secret: true,
    description: 'The secret that belongs to the S3 access key.',
  }),
  KW_S3_CA_CERT_PATH: optionalText({
    type: 'path',
    description: "Certificates of the authorities that may have signed the S3 server's, as PEM.",
    shownDefault: 'those that Node trusts',
  }),
  KW_S3_FORCE_PATH_STYLE: flag({
    default: null,
    description: "Whether the bucket stands in the URL's path instead of its host name.",
    shownDefault: 'true when KW_S3_ENDPOINT is given',
  }),
  KW_S3_TIMEOUT_SECONDS: number({
    default: 10,
    min: 1,
    max: 600,
    description: 'Seconds of silence after which a request to S3 is given up; each is tried three times.',
  }),
  KW_OBJECT_DIR: optionalText({
    type: 'path',
    description: 'Folder of the file object store; API and worker must both see it.',
    shownDefault: 'KW_DATA_DIR/objects',
  }),

  KW_SEARCH_URI: text({
    default: 'lancedb:',
    description:
      'Where the search index is: lancedb: is the folder KW_DATA_DIR/search, lancedb:/path another one; API and worker must both see it. lancedb:s3://bucket/prefix is for several machines, with the endpoint and keys of KW_S3_*.',
    check: searchUri,
  }),
  KW_RERANK_URL: httpUrl({
    description:
      'A reranker that orders the best hits of a search anew: the whole URL, such as http://127.0.0.1:8081/rerank, of text-embeddings-inference, or of an API like that of Cohere. Its host obeys KW_PLUGIN_HOSTS.',
  }),
  KW_RERANK_MODEL: optionalText({
    description: 'The model that the reranker is asked for, where it has several.',
  }),
  KW_RERANK_API_KEY: optionalText({ secret: true, description: 'The key for the reranker.' }),

  KW_MAX_UPLOAD_BYTES: number({
    default: 5 * 1024 ** 3,
    min: 1,
    max: 5 * 1024 ** 4,
    description: 'Largest file taken, by upload or from a URL.',
  }),
  KW_MAX_ARTIFACT_BYTES: number({
    default: 1024 ** 3,
    min: 1,
    max: 5 * 1024 ** 4,
    description: 'Largest content of one artifact.',
  }),
  KW_RATE_LIMIT: number({
    default: 6000,
    min: 0,
    max: 1e9,
    description:
      'Requests per minute that one API process takes of one API key; 0: no limit. A key may carry its own.',
    shownDefault: '6000; with "npm start" 0',
  }),
  KW_TRUSTED_PROXIES: list({
    description:
      'Addresses and CIDRs of the proxies in front of the API. Of what they send X-Forwarded-For, -Proto and -Host count; without it, of nobody.',
    check: addressOrCidr,
  }),
  KW_CORS_ORIGINS: list({
    description:
      'Origins whose pages may call the API from a browser, with an API key; * for all. Without it, none.',
    check: origin,
  }),
  KW_URL_ALLOW: list({
    description:
      'Hosts that a URL source may name though their address is loopback, private or otherwise special; with a port or without, as they stand in the URL.',
    check: hostWithOptionalPort,
  }),
  KW_URL_TIMEOUT_SECONDS: number({
    default: 300,
    min: 1,
    max: 86400,
    description: 'Seconds that fetching a URL source may take.',
  }),
  KW_PLUGIN_HOSTS: list({
    description:
      'Hosts that plugins may call, or be called at, though their address is loopback, private or otherwise special.',
    shownDefault: 'none; with "npm start" 127.0.0.1,localhost,[::1]',
    check: hostWithOptionalPort,
  }),

  KW_DRAIN_SECONDS: number({
    default: 5,
    min: 0,
    max: 3600,
    whole: false,
    description:
      'Seconds that an API told to stop by SIGTERM goes on serving while /health/ready is 503, so that what routes requests takes it out.',
    shownDefault: '5; with "npm start" 0',
  }),
  KW_SHUTDOWN_GRACE_SECONDS: number({
    default: 20,
    min: 0,
    max: 3600,
    whole: false,
    description:
      'Seconds that an API which takes no more connections gives to requests at work, uploads and downloads among them, before it cuts them off.',
    shownDefault: '20; with "npm start" 5',
  }),
  KW_HSTS_INCLUDE_SUBDOMAINS: flag({
    default: false,
    description:
      'Whether browsers that reach KW_PUBLIC_URL over https are told to use https for all names below its host as well.',
  }),
  KW_LOG_LEVEL: choice({
    default: 'info',
    of: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    description: 'The least level that is logged.',
  }),
  KW_LOG_FORMAT: choice({
    default: 'json',
    of: ['json', 'pretty'],
    description: 'How API and worker write their logs on their standard output.',
  }),
  KW_WORKER_HEALTH_ADDRESS: optionalText({
    type: 'host:port',
    description:
      'Where a worker serves /health/live and /health/ready for probes; without it, nowhere. May be the address of its metrics.',
    check: hostAndPort,
  }),
  KW_WORKER_METRICS_ADDRESS: optionalText({
    type: 'host:port',
    description:
      "Where a worker serves its /metrics for Prometheus; without it, nowhere. They are open to whoever reaches that address. (The API's are at its own /metrics.)",
    check: hostAndPort,
  }),
  KW_TEMPORAL_METRICS_ADDRESS: optionalText({
    type: 'host:port',
    description:
      "The same for what Temporal's SDK measures in a worker: its slots, pollers, tasks and latencies.",
    check: hostAndPort,
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl({
    description:
      'Where traces are sent as OTLP over HTTP (protobuf), without /v1/traces; without it, nothing is traced.',
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
    description: 'What else traces say of this process, such as deployment.environment.name=production.',
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
    description: 'Which traces are kept; parentbased: as the caller decided, else by the rest of the word.',
  }),
  OTEL_TRACES_SAMPLER_ARG: number({
    default: 1,
    min: 0,
    max: 1,
    whole: false,
    description: 'The share of traces that a ratio keeps.',
  }),
  KW_SWEEP_INTERVAL_SECONDS: number({
    default: 1,
    min: 0.1,
    max: 3600,
    whole: false,
    description: 'Seconds between two looks for work that a crash or an outage left behind.',
  }),
  KW_LEASE_SECONDS: number({
    default: 10,
    min: 1,
    max: 600,
    description:
      'Seconds after which others take over what a process had in hand that was killed: what it was telling Temporal, and its Idempotency-Keys.',
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
