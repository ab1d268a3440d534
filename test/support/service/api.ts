import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdvanceRun } from '../../../activities/advance-run.js';
import { createApp } from '../../../api/app.js';
import { closeServer, createHttpServer, listen } from '../../../api/server/http-server.js';
import type { RunEvent } from '../../../core/runs/run-protocol.js';
import { loadConfig } from '../../../runtime/settings/config.js';
import { createDeps, type Deps } from '../../../runtime/deps.js';
import type { WorkflowClient } from '../../../runtime/temporal/workflow-client.js';
import { createApiKey } from '../../../storage/auth/api-keys.js';
import { createContract } from './contract.js';
import { connected, createDatabase } from '../servers/postgres.js';
import { temporaryFolder } from '../temporary.js';

/** A response of the API. */
export interface Answer {
  readonly status: number;

  readonly body: any;
  readonly text: string;
  readonly headers: Headers;
}

export interface CallOptions {
  /** The bearer token; null: none. Default: the admin key. */
  readonly bearer?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The API on a real database and a file store, without Temporal: starts stay in the outbox. */
export interface TestApi {
  readonly deps: Deps;
  readonly base: string;
  /**
   * Calls a path below /api/v1, or from the root if it begins with `//`. Checks each response against the OpenAPI
   * document.
   */
  call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Answer>;
  /** Creates a key with these scopes. */
  key(...scopes: string[]): Promise<string>;
  /** Registers a file. */
  upload(fields?: Readonly<Record<string, string>>, content?: string | Uint8Array): Promise<Answer>;
  /** Applies an event to the newest run of a resource, as its workflow would. */
  advance(resource: { readonly id: string; readonly run: number }, event: RunEvent): Promise<void>;
  stop(): Promise<void>;
}

/** A client of a Temporal that is unavailable. */
export const temporalAway: WorkflowClient = {
  startRun: () => Promise.reject(new Error('away')),
  cancelRun: () => Promise.reject(new Error('away')),
  signalReport: () => Promise.reject(new Error('away')),
  startCleanUp: () => Promise.reject(new Error('away')),
  startOperation: () => Promise.reject(new Error('away')),
  restartCleanUp: () => Promise.reject(new Error('away')),
  terminateOverdue: () => Promise.reject(new Error('away')),
  pendingWork: () => Promise.resolve(null),
  readPolling: () => Promise.resolve(null),
  runStatus: () => Promise.reject(new Error('away')),
  closedRuns: () => {
    throw new Error('away');
  },
  check: () => Promise.reject(new Error('away')),
  serverVersion: () => Promise.resolve(null),
};

const baseOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

type Contract = ReturnType<typeof createContract>;
const contracts = new Map<string, Contract>();

/** Returns the contract of a document, created once per process: compiling its schemas is slow. */
function contractOf(document: string): Contract {
  const known = contracts.get(document);
  if (known !== undefined) return known;
  const made = createContract(JSON.parse(document) as Parameters<typeof createContract>[0]);
  contracts.set(document, made);
  return made;
}

function handlerOf(deps: Deps, webFolder: string | null = null): RequestListener {
  const handle = createApp(deps, { webFolder }).callback();
  return (request, response) => void handle(request, response);
}

/** Returns one response of an API with these dependencies. */
export async function askOnce(
  deps: Deps,
  path: string,
  init?: RequestInit,
): Promise<{ response: Response; text: string }> {
  const server = createHttpServer(handlerOf(deps));
  await listen(server, '127.0.0.1', 0);
  try {
    const response = await fetch(baseOf(server) + path, init);
    return { response, text: await response.text() };
  } finally {
    await closeServer(server, 0);
  }
}

/**
 * Starts the API. `env` adds settings. `workflows` replaces Temporal; null: the real client, which cannot connect.
 * `webFolder` holds a web page. `database` is an existing database, which its creator removes.
 */
export async function startApi(
  options: {
    readonly env?: Readonly<Record<string, string>>;
    readonly workflows?: Partial<WorkflowClient> | null;
    readonly webFolder?: string | null;
    readonly database?: { readonly url: string };
  } = {},
): Promise<TestApi> {
  const database = options.database
    ? { ...options.database, drop: () => Promise.resolve() }
    : await createDatabase();
  let listener: RequestListener = () => undefined;
  const server = createHttpServer((request, response) => listener(request, response));
  await listen(server, '127.0.0.1', 0);
  const base = baseOf(server);
  const config = loadConfig({
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: '127.0.0.1:1',
    KW_SECRET: 'a-secret-of-the-tests-alone',
    KW_PUBLIC_URL: base,
    KW_DATA_DIR: temporaryFolder(),
    KW_LOG_LEVEL: 'fatal',
    KW_RATE_LIMIT: '0',
    ...options.env,
  });
  const real = await createDeps(config, 'test');
  await connected(real.db);
  const away = {
    workflows: { ...temporalAway, ...options.workflows },
    outbox: { ...real.outbox, sendSoon: () => undefined },
  };
  const deps: Deps = options.workflows === null ? real : { ...real, ...away };
  listener = handlerOf(deps, options.webFolder);

  const key: TestApi['key'] = async (...scopes) =>
    (await createApiKey(deps.db, { name: scopes.join(), scopes })).key;
  const adminKey = await key('admin');
  const check = contractOf((await (await fetch(`${base}/api/v1/openapi.json`)).text()).replaceAll(base, ''));

  const call: TestApi['call'] = async (method, path, body, { bearer = adminKey, headers = {} } = {}) => {
    const url = new URL(path.startsWith('//') ? path.slice(1) : `/api/v1${path}`, base);
    const isJson =
      body !== undefined &&
      !(body instanceof FormData) &&
      typeof body !== 'string' &&
      !(body instanceof Uint8Array);
    const hasType = body !== undefined && !(body instanceof FormData);
    const response = await fetch(url, {
      method,
      headers: {
        ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
        ...(hasType ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: isJson ? JSON.stringify(body) : (body as NonNullable<RequestInit['body']>) }),
    });
    const text = await response.text();
    const contentType = response.headers.get('content-type') ?? '';
    check({ method, path: url.pathname, status: response.status, contentType, body: text });
    const parsed: unknown = contentType.includes('json') && text !== '' ? JSON.parse(text) : null;
    return { status: response.status, headers: response.headers, text, body: parsed };
  };

  return {
    deps,
    base,
    call,
    key,
    async upload(fields = {}, content = 'hello') {
      const form = new FormData();
      for (const [name, value] of Object.entries({ name: 'A file', type: 'document', ...fields }))
        form.set(name, value);
      form.set('file', new Blob([content], { type: 'text/plain' }), 'hello.txt');
      return await call('POST', '/resources', form);
    },
    async advance({ id, run }, event) {
      await createAdvanceRun(deps)({ resourceId: id, run }, event);
    },
    async stop() {
      await closeServer(server, 0);
      await deps.close();
      await database.drop();
    },
  };
}
