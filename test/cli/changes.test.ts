import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  createClient as createPlainClient,
  followEvents,
  followResources,
  watchChanges,
  type Follower,
} from '@knowledge-warehouse/client';
import { createClient, type Client } from '../../cli/service/client.js';
import { eventually } from '../support/eventually.js';
import { createKw, type Kw } from '../support/service/kw.js';

/** A service as far as waiting needs one: statuses that a test sets, and a stream that a test writes. */
interface ToyService {
  readonly url: string;
  readonly client: Client;
  readonly statuses: Map<string, string>;
  /** The responses to other paths, as JSON. */
  readonly answers: Map<string, unknown>;
  /** Looks at each resource. */
  readonly looks: Map<string, number>;
  /** The streams that are open. */
  readonly streams: ServerResponse[];
  /** What each stream was asked to go on after. */
  readonly lastEventIds: (string | undefined)[];
  /** What is answered to who asks for the stream: null lets it stay open. */
  refusal: number | null;
  /** The body of that refusal; by default that of a proxy. */
  refusalBody: string;
  /** The status and headers of the response to every request, if the service is unavailable. */
  unavailable: readonly [number, Record<string, string>] | null;
  /** When each path was requested, in milliseconds. */
  readonly requests: Map<string, number[]>;
  stop(): Promise<void>;
}

async function startToyService(signal: AbortSignal): Promise<ToyService> {
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const path = decodeURIComponent(request.url?.replace('/api/v1', '') ?? '');
    toy.requests.set(path, [...(toy.requests.get(path) ?? []), performance.now()]);
    if (toy.unavailable) response.writeHead(...toy.unavailable).end('{}');
    else if (path === '/events') openStream(request, response);
    else if (toy.answers.has(path)) response.end(JSON.stringify(toy.answers.get(path)));
    else showResource(path.replace('/resources/', ''), response);
  };
  const openStream = (request: IncomingMessage, response: ServerResponse): void => {
    toy.lastEventIds.push(request.headers['last-event-id'] as string | undefined);
    if (toy.refusal !== null) {
      response.writeHead(toy.refusal).end(toy.refusalBody);
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    response.flushHeaders();
    toy.streams.push(response);
    response.on('close', () => toy.streams.splice(toy.streams.indexOf(response), 1));
  };
  const showResource = (id: string, response: ServerResponse): void => {
    toy.looks.set(id, (toy.looks.get(id) ?? 0) + 1);
    const status = toy.statuses.get(id);
    if (status === undefined) {
      response
        .writeHead(404)
        .end(JSON.stringify({ error: { code: 'NOT_FOUND', message: 'gone', details: {} } }));
    } else response.end(JSON.stringify({ id, name: id, status, steps: [], artifacts: [] }));
  };
  const server: Server = createServer(answer);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = createClient(
    { url, apiKey: 'kw_x', workflowsUrl: null },
    { signal, patience: { tries: 4 } },
  );
  const toy: ToyService = {
    url,
    client,
    statuses: new Map(),
    answers: new Map(),
    looks: new Map(),
    streams: [],
    lastEventIds: [],
    refusal: null,
    refusalBody: '{}',
    unavailable: null,
    requests: new Map(),
    async stop() {
      await client.close();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return toy;
}

describe('waiting for resources', () => {
  let toy: ToyService;
  let ending: AbortController;
  let seen: string[];
  beforeEach(async () => {
    ending = new AbortController();
    seen = [];
    toy = await startToyService(ending.signal);
  });
  afterEach(async () => {
    ending.abort(new Error('the test is over'));
    await toy.stop();
  });

  const follow = (): Follower => {
    const { signal } = ending;
    const onLook = ({ id, status }: { id: string; status: string }): void =>
      void seen.push(`${id} ${status}`);
    const follower = followResources(toy.client, watchChanges(toy.client, signal), { signal, onLook });
    follower.failed.catch(() => undefined);
    return follower;
  };
  /** Follows one, which was looked at as often as a settled state allows, and says when it settles. */
  const following = (id: string): { readonly done: () => string | null | undefined } => {
    let result: string | null | undefined;
    toy.statuses.set(id, 'PROCESSING');
    follow()
      .settled(id)
      .then(
        (resource) => (result = resource?.status ?? null),
        () => undefined,
      );
    return { done: () => result };
  };
  const frame = (name: string, fields: object, id = ''): string =>
    `${id === '' ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(fields)}\n\n`;
  const stream = (): Promise<ServerResponse> => eventually(() => toy.streams[0]);
  const looks = (id: string): number => toy.looks.get(id) ?? 0;

  it('reads once the resources that ended before the stream started', async () => {
    toy.statuses.set('a', 'COMPLETED');
    assert.equal((await follow().settled('a'))?.status, 'COMPLETED');
    assert.equal(looks('a'), 1);
  });

  it('reads after the ready event, so that no change before the stream is missed', async () => {
    const { done } = following('a');
    const events = await stream();
    await eventually(() => looks('a') === 1);
    toy.statuses.set('a', 'FAILED');
    events.write(frame('ready', {}, '1-1'));
    assert.equal(await eventually(done), 'FAILED');
  });

  it('reads when an event names the resource or one of its steps, and at no other time', async () => {
    const { done } = following('a');
    const events = await stream();
    events.write(frame('ready', {}, '1-1'));
    await eventually(() => looks('a') === 2);
    events.write(frame('resource.updated', { id: 'b', status: 'COMPLETED' }, '1-2'));
    events.write(': a comment\n\n');
    events.write(frame('pipeline.updated', { id: 'a' }, '1-3'));
    events.write(frame('step.updated', { resource_id: 'a', index: 0 }, '1-4'));
    await eventually(() => looks('a') === 3);
    toy.statuses.set('a', 'COMPLETED');
    events.write(frame('resource.updated', { id: 'a', status: 'COMPLETED' }, '1-5'));
    assert.equal(await eventually(done), 'COMPLETED');
    assert.equal(looks('a'), 4);
  });

  it('resumes after the last event it received when the stream breaks', async () => {
    const { done } = following('a');
    const first = await stream();
    first.write(frame('ready', {}, '7-1'));
    await eventually(() => looks('a') === 2);
    first.write(frame('resource.updated', { id: 'b' }, '7-2'));
    // A heartbeat has an id, too. Half a frame counts for nothing.
    for (const byte of ':\nid: 7-3\n\n') first.write(byte);
    first.write('id: 7-4\nevent: resource.upd');
    await eventually(() => first.writableLength === 0);
    first.destroy();
    await eventually(() => toy.lastEventIds.length === 2);
    assert.deepEqual(toy.lastEventIds, [undefined, '7-3']);
    const second = await stream();
    toy.statuses.set('a', 'COMPLETED');
    second.write(frame('resource.updated', { id: 'a' }, '7-4'));
    assert.equal(await eventually(done), 'COMPLETED');
    assert.equal(looks('a'), 3);
  });

  it('waits for room when a stream that was open is refused with 429', async () => {
    const { signal } = ending;
    const events = createPlainClient({ url: toy.url }).events({ signal });
    const first = events.next();
    (await stream()).write(frame('ready', {}, '1-1'));
    assert.equal((await first).value.name, 'ready');
    toy.refusal = 429;
    toy.streams[0]?.destroy();
    const next = events.next();
    next.catch(() => undefined);
    await eventually(() => toy.lastEventIds.length === 2);
    toy.refusal = null;
    (await stream()).write(frame('reset', {}, '2-1'));
    assert.equal((await next).value.name, 'reset');
    toy.refusal = 429;
    await assert.rejects(createPlainClient({ url: toy.url }).events({ signal }).next(), { status: 429 });
  });

  it('counts refusals from zero after a heartbeat', async () => {
    const responses = [502, ':\nid: 1-1\n\n', 502, frame('ready', {}, '1-2')];
    const transport = (): Promise<Response> => {
      const next = responses.shift() ?? 500;
      const headers = { 'content-type': 'text/event-stream' };
      return Promise.resolve(
        new Response(`${next}`, { headers, status: typeof next === 'number' ? next : 200 }),
      );
    };
    const client = createPlainClient({ url: toy.url, transport });
    const events = followEvents(client, { signal: ending.signal, mostRefusals: 1 });
    assert.equal((await events.next()).value.name, 'ready');
  });

  it('reads everything again after a reset event', async () => {
    const { done } = following('a');
    const events = await stream();
    events.write(frame('ready', {}, '1-1'));
    await eventually(() => looks('a') === 2);
    toy.statuses.set('a', 'CANCELLED');
    events.write(frame('reset', {}));
    assert.equal(await eventually(done), 'CANCELLED');
  });

  it('parses frames that arrive in pieces, even in the middle of a character', async () => {
    const { done } = following('ä');
    const events = await stream();
    events.write(frame('ready', {}, '1-0'));
    await eventually(() => looks('ä') === 2);
    toy.statuses.set('ä', 'COMPLETED');
    for (const byte of Buffer.from(frame('resource.updated', { id: 'ä' }, '1-1')))
      events.write(Buffer.of(byte));
    assert.equal(await eventually(done), 'COMPLETED');
  });

  for (const [refusal, tries] of [
    [401, 1],
    [403, 1],
    [404, 1],
    [429, 1],
    [500, 1],
    [524, 6],
  ] as const) {
    it(`polls if the stream responds with ${refusal}`, async () => {
      toy.refusal = refusal;
      const { done } = following('a');
      await eventually(() => looks('a') >= 3);
      assert.equal(done(), undefined);
      toy.statuses.set('a', 'COMPLETED');
      assert.equal(await eventually(done), 'COMPLETED');
      assert.equal(toy.lastEventIds.length, tries);
    });
  }

  for (const [pause, status, headers, leastMs] of [
    ['growing pauses', 503, {}, [200, 400]],
    ['growing pauses', 521, {}, [200, 400]],
    ['the pauses that it asks for', 503, { 'retry-after': '1' }, [1000]],
  ] as const) {
    it(`waits for a service that responds with ${status}, with ${pause}`, async () => {
      toy.statuses.set('a', 'COMPLETED');
      toy.unavailable = [status, headers];
      const client = createPlainClient({ url: toy.url });
      const waiting = client.waitFor('a', { signal: ending.signal });
      waiting.catch(() => undefined);
      const pauses = (path: string): number[] => {
        const times = toy.requests.get(path) ?? [];
        return times.slice(1).map((time, index) => time - (times[index] ?? 0));
      };
      for (const path of ['/resources/a', '/events']) {
        const found = await eventually(() => pauses(path).length >= leastMs.length && pauses(path));
        // Timers may be early by a millisecond.
        leastMs.forEach((ms, index) => assert((found[index] ?? 0) >= ms - 5, `${path}: ${found.join()}`));
      }
      toy.unavailable = null;
      assert.equal((await waiting)?.status, 'COMPLETED');
    });
  }

  it('reports a deleted resource', async () => {
    const { done } = following('a');
    const events = await stream();
    events.write(frame('ready', {}, '1-1'));
    await eventually(() => looks('a') === 2);
    toy.statuses.delete('a');
    events.write(frame('resource.deleted', { id: 'a' }, '1-2'));
    assert.equal(await eventually(() => done() === null), true);
  });

  it('aborts its requests when it is aborted, also while another wait continues', async () => {
    const signals: [string, AbortSignal][] = [];
    const transport = ({ url, signal }: { url: string; signal: AbortSignal }): Promise<Response> => {
      signals.push([url.replace(/.*\//, ''), signal]);
      return new Promise(() => undefined);
    };
    const client = createPlainClient({ url: toy.url, transport });
    const other = new AbortController();
    client.waitFor('b', { signal: other.signal }).catch(() => undefined);
    const waiting = client.waitFor('a', { signal: ending.signal });
    await eventually(() => signals.length === 4);
    ending.abort(new Error('enough'));
    await assert.rejects(waiting, /enough/);
    const aborted = signals.filter(([, signal]) => signal.aborted).map(([path]) => path);
    assert.deepEqual(aborted.toSorted(), ['a', 'events']);
    other.abort();
  });

  it('takes the 404 of a proxy for an outage', async () => {
    toy.statuses.set('a', 'COMPLETED');
    toy.unavailable = [404, {}];
    const waiting = createPlainClient({ url: toy.url }).waitFor('a', { signal: ending.signal });
    waiting.catch(() => undefined);
    await eventually(() => (toy.requests.get('/resources/a')?.length ?? 0) > 1);
    toy.unavailable = null;
    assert.equal((await waiting)?.status, 'COMPLETED');
  });

  it('ends when the service rejects it', async () => {
    toy.refusal = 401;
    toy.refusalBody = '{"error": {"code": "UNAUTHENTICATED", "message": "unknown key", "details": {}}}';
    toy.statuses.set('a', 'PROCESSING');
    const follower = follow();
    await assert.rejects(follower.settled('a'), /unknown key/);
    await assert.rejects(follower.settled('a'), /unknown key/);
  });

  it('tells everyone who waits for the same resource', async () => {
    toy.statuses.set('a', 'COMPLETED');
    const follower = follow();
    const found = await Promise.all([follower.settled('a'), follower.settled('a')]);
    assert.deepEqual(
      found.map((resource) => resource?.status),
      ['COMPLETED', 'COMPLETED'],
    );
  });

  it('takes a body that is no error envelope for that of a proxy', async () => {
    const bodies = [
      { error: 'Bad Gateway' },
      { error: { code: 7, message: 'x' } },
      { error: { code: 'X' } },
      [],
    ];
    for (const body of bodies) {
      const transport = (): Promise<Response> => Promise.resolve(Response.json(body, { status: 502 }));
      const client = createPlainClient({ url: toy.url, transport });
      await assert.rejects(client.GET('/plugins'), {
        code: 'HTTP_502',
        message: 'The response 502 does not come from this service.',
      });
    }
  });

  it('takes a successful response without JSON for that of a proxy', async () => {
    for (const body of ['<h1>Log in</h1>', '']) {
      const transport = (): Promise<Response> => Promise.resolve(new Response(body));
      const client = createPlainClient({ url: toy.url, transport });
      const error = { code: 'HTTP_200', message: 'The response 200 does not come from this service.' };
      await assert.rejects(client.GET('/plugins'), error);
      await assert.rejects(client.upload({ name: 'a', type: 'note', file: new Blob(['a']) }), error);
    }
  });

  describe('with kw', () => {
    const id = '0b0e2f4c-0000-4000-8000-000000000001';
    const shown = { name: 'long', error: null, steps: [], artifacts: [] };
    let kw: Kw;
    beforeEach(() => {
      kw = createKw({ KW_URL: toy.url, KW_API_KEY: 'kw_x' });
    });

    it('shows until when a step waits: in UTC to a program, on a terminal by its clock', async () => {
      const until = '2026-01-02T03:04:05.000Z';
      const step = { index: 0, plugin_id: 'ocr', status: 'RUNNING', attempt: 1, max_attempts: 1 };
      const none = { error: null, size_bytes: null, media_type: null, started_at: null, workflow_id: null };
      const steps = [{ ...step, ...none, waiting_for: { message: 'waits', until } }];
      const resource = { ...shown, ...none, type: 'scan', source_type: 'UPLOAD', metadata: {}, run: 1 };
      toy.answers.set(`/resources/${id}`, {
        ...resource,
        id,
        status: 'PROCESSING',
        created_at: until,
        steps,
      });
      assert.match((await kw('show', id)).stdout, new RegExp(`waits \\(until ${until}\\)`));
      assert.match((await kw.terminal('show', id).ended).stdout, /waits \(until 2026-01-0\d [\d:]{8}\)/);
    });

    it('ends kw watch when polling is refused, too', async () => {
      toy.refusal = 403;
      const { code, stderr } = await kw('watch');
      assert.deepEqual([code, stderr], [1, 'gone (NOT_FOUND)\n']);
    });

    it('does not take the refusal of a proxy for that of a key', async () => {
      for (const status of [401, 403]) {
        toy.unavailable = [status, {}];
        const { code, stderr } = await kw.fed('kw_x', 'login', toy.url);
        assert.equal(code, 1);
        assert.match(stderr, new RegExp(`The response ${status} does not come from this service`));
      }
    });

    it('prints all of a long JSON to a slow reader before kw exits with 1', async () => {
      const long = { ...shown, id, status: 'FAILED', metadata: { text: 'x'.repeat(400_000) } };
      toy.answers.set(`/resources/${id}`, long);
      const { child, ended } = kw.start('watch', id, '--json');
      child.stdout?.on('data', () => {
        child.stdout?.pause();
        setImmediate(() => child.stdout?.resume());
      });
      const { code, stdout } = await ended;
      assert.equal(code, 1);
      assert.deepEqual(JSON.parse(stdout), [long]);
      const piped = await kw.shell(`kw watch ${id} --json | head -c 3`).ended;
      assert.equal(piped.stderr, `${id}: FAILED\n`);
    });

    it('watches the other resources when a name is unknown', async () => {
      toy.answers.set('/resources?q=missing&limit=200', { items: [], next_cursor: null });
      const known = { ...shown, id, status: 'COMPLETED' };
      toy.answers.set(`/resources/${id}`, known);
      const { code, stdout } = await kw('watch', 'missing', id, '--json');
      const message = 'No resource has the id or the name missing.';
      assert.equal(code, 1);
      assert.deepEqual(JSON.parse(stdout), [
        { source: 'missing', error: { code: 'NOT_FOUND', message, details: {} } },
        known,
      ]);
    });

    it('waits for what the service does although it is away, and says how to continue', async () => {
      const other = '0b0e2f4c-0000-4000-8000-000000000002';
      const operation = { id: other, action: 'disable', status: 'RUNNING', matched: 1, done: 0 };
      toy.answers.set(`/operations/${other}`, { ...operation, skipped: {}, failed: {}, stalled: null });
      const rebuild = {
        ...{ problem: null, created_at: 'now', upkeep_failing_since: null },
        rebuild: { resources: 0, total: 1 },
      };
      for (const path of ['/search/status', '/search/rebuild']) toy.answers.set(path, rebuild);
      const waits = [
        [
          `/operations/${other}`,
          `kw operations show ${other} --wait`,
          ['operations', 'show', other, '--wait'],
        ],
        ['/search/status', 'kw search status', ['search', 'rebuild']],
      ] as const;
      const running = waits.map(([path, , args]) => ({ path, ...kw.start(...args) }));
      const tries = (path: string): number => toy.requests.get(path)?.length ?? 0;
      await eventually(() => waits.every(([path]) => tries(path) > 1));
      toy.unavailable = [503, {}];
      const before = new Map(waits.map(([path]) => [path, tries(path)]));
      const patient = eventually(() => waits.every(([path]) => tries(path) > (before.get(path) ?? 0) + 4));
      await Promise.race([patient, ...running.map(({ ended }) => ended)]);
      assert.deepEqual(
        running.map(({ said }) => said.stderr),
        ['', ''],
      );
      toy.unavailable = [500, {}];
      for (const [at, [, hint]] of waits.entries()) {
        const { code, stderr } = (await running[at]?.ended) ?? {};
        assert.equal(code, 1);
        assert(stderr?.includes(`continues. Follow it: ${hint}`), stderr);
      }
    });
  });
});
