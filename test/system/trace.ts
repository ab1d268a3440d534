import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../support/eventually.js';
import { startHttpWorker, type ArrivedStep, type HttpWorker } from '../support/workers/http-worker.js';
import type { OtlpReceiver, ReceivedSpan } from '../support/network/otlp-receiver.js';
import { createRestClient, type RestClient } from '../support/service/rest-client.js';
import type { TestStack } from '../support/service/stack.js';
import { temporaryFolder } from '../support/temporary.js';
import { startWorkerProcess, type WorkerProcess } from '../support/workers/worker-process.js';

const top = new URL('../..', import.meta.url).pathname;

/** Declares the tests of a stack that sends its traces to a receiver. The last one stops both. */
export const describeTrace = (
  stackOf: () => { readonly stack: TestStack; readonly receiver: OtlpReceiver },
): unknown =>
  describe('one request, from the API through its workflow to its plugins and back', function () {
    let stack: TestStack;
    let client: RestClient;
    let receiver: OtlpReceiver;
    let author: WorkerProcess;
    let bare: HttpWorker;
    let delivered: ArrivedStep;
    let resource: any;

    let authorEnded = false;
    const secrets = temporaryFolder();
    const startAuthor = (): void => {
      authorEnded = false;
      author = startWorkerProcess(
        process.execPath,
        [join(top, 'test/support/workers/traced.mjs'), receiver.url, secrets],
        { cwd: top, env: { KW_DATA_DIR: stack.dataDir } },
      );
      void author.ended.then(() => (authorEnded = true));
    };

    const traceId = randomBytes(16).toString('hex');
    const callerSpan = randomBytes(8).toString('hex');
    const requestId = `request-${traceId}`;
    const answer = { status: 'SUCCESS', artifact: { type: 'bare', content_type: 'text', content: 'done' } };

    before(async () => {
      ({ stack, receiver } = stackOf());
      bare = await startHttpWorker();
      client = createRestClient(stack);
      startAuthor();
      const plugin = { id: 'bare', name: 'Bare', kind: 'http', endpoint: bare.endpoint };
      await client.expect(201, 'POST', '/plugins', plugin);
      const ids = ['traced-activity', 'traced-http', 'bare'];
      await eventually(async () => {
        // On a machine that has too much to do, Core may refuse a registration whose schema took it too long.
        if (authorEnded) startAuthor();
        for (const id of ids) await client.expect(200, 'GET', `/plugins/${id}`);
        return true;
      });
      const steps = ids.map((plugin_id) => ({ plugin_id, max_attempts: 2, timeout_seconds: 60 }));
      await client.expect(201, 'POST', '/pipelines', { name: 'Traced', trigger_type: 'traced', steps });

      // A worker without any tracing, which sends back the headers it got.
      bare.handle = (step) => {
        delivered = step;
        const { traceparent = '', 'x-request-id': id = '' } = step.headers as Record<string, string>;
        const { url, token } = step.message.callback;
        void fetch(url, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${token}`,
            'content-type': 'application/json',
            traceparent,
            'x-request-id': id,
          },
          body: JSON.stringify(answer),
        });
        return { status: 202 };
      };
      const form = new FormData();
      form.set('name', 'A file');
      form.set('type', 'traced');
      form.set('file', new Blob(['hello']), 'file.txt');
      const response = await fetch(`${stack.api}/api/v1/resources`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${stack.adminKey}`,
          traceparent: `00-${traceId}-${callerSpan}-01`,
          'x-request-id': requestId,
        },
        body: form,
      });
      assert.equal(response.status, 201);
      resource = await client.settled(((await response.json()) as { id: string }).id);
      assert.equal(resource.status, 'COMPLETED', JSON.stringify(resource.error));
    });
    after(async () => {
      await author.stop();
      await bare.stop();
    });

    const ours = (): ReceivedSpan[] => receiver.spans.filter((span) => span.traceId === traceId);
    const named = (name: string): ReceivedSpan[] => ours().filter((span) => span.name === name);
    /** The spans above one, from its parent to the root that arrived here. */
    const above = (span: ReceivedSpan): ReceivedSpan[] => {
      const parent = ours().find(({ id }) => id === span.parent);
      return parent === undefined ? [] : [parent, ...above(parent)];
    };
    const namesAbove = (span: ReceivedSpan): string[] => above(span).map(({ name }) => name);
    const callback = 'POST /api/v1/internal/artifacts/:resource_id';

    const checkTrace = (): void => {
      assert.ok(named(callback).length >= 3, String(ours().map(({ name }) => name)));
      const [request] = named('POST /api/v1/resources');
      assert.equal(request?.parent, callerSpan);
      assert.deepEqual(
        [
          request.service,
          request.attributes['http.response.status_code'],
          request.attributes['kw.request_id'],
        ],
        ['kw-api', 201, requestId],
      );
      assert.equal(request.attributes['kw.resource_id'], resource.id);

      const [workflow] = named('RunWorkflow:processResource');
      assert.deepEqual(
        [workflow?.service, ...namesAbove(workflow!)],
        ['kw-worker', 'StartWorkflow:processResource', 'outbox START', 'POST /api/v1/resources'],
      );
      const inWorkflow = ['RunWorkflow:processResource', ...namesAbove(workflow!)];

      const post = named('POST plugin').find(({ attributes }) => attributes['url.full'] === bare.endpoint);
      assert.deepEqual(namesAbove(post!), [
        'RunActivity:deliverStep',
        'StartActivity:deliverStep',
        ...inWorkflow,
      ]);
      assert.equal(delivered.headers['traceparent'], `00-${traceId}-${post!.id}-01`);
      assert.deepEqual(
        named(callback)
          .map(({ parent }) => parent === post!.id)
          .filter(Boolean),
        [true],
        'the callback of the worker that sends the traceparent back',
      );

      for (const [kind, activity] of [
        ['activity', 'traced-activity'],
        ['http', 'deliverStep'],
      ] as const) {
        const [work] = named(`work of ${kind}`);
        assert.equal(work?.service, 'author');
        const expected = [
          `plugin traced-${kind}`,
          ...(kind === 'http' ? ['POST plugin', 'RunActivity:deliverStep'] : []),
          `StartActivity:${activity}`,
          ...inWorkflow,
        ];
        assert.deepEqual(namesAbove(work), expected);
      }
      const unrelated = ours().filter((span) => span.id !== request.id && !above(span).includes(request));
      assert.deepEqual(unrelated, [], 'spans of the trace that hang nowhere');
      for (const name of ['claim attempt', 'settle attempt', 'advance run', 'object store put'])
        assert.ok(named(name).length > 0, name);
    };

    it('is one trace, which shows who called whom', async () => {
      // Three processes send their spans in batches, in any order. If an event arrives while the run ends, Temporal
      // repeats its last task, so the run's end alone does not show that all spans are here.
      await eventually(() => {
        checkTrace();
        return true;
      });
    });

    it('can be followed by its id through the logs of API, workflow, activities and callbacks', () => {
      const lines = (file: string): any[] =>
        readFileSync(join(stack.dataDir, 'logs', file), 'utf8')
          .split('\n')
          .filter((line) => line.startsWith('{'))
          .map((line) => JSON.parse(line))
          .filter((line) => line.request_id === requestId);
      const about = { resource_id: resource.id, run: 1 };
      const find = (all: any[], fields: Record<string, unknown>): any => {
        const wanted = Object.entries({ ...about, ...fields });
        const line = all.find((each) => wanted.every(([name, value]) => each[name] === value));
        assert.ok(line, `no line with ${JSON.stringify(fields)} in ${JSON.stringify(all, null, 1)}`);
        return line;
      };
      const api = lines('api.log');
      find(api, {
        msg: 'request',
        method: 'POST',
        route: '/api/v1/resources',
        status: 201,
        trace_id: traceId,
      });
      for (const step_index of [0, 1, 2]) {
        find(api, { route: '/api/v1/internal/artifacts/:resource_id', status: 200, step_index, attempt: 1 });
      }
      const worker = lines('worker.log');
      const { workflow_id } = resource;
      find(worker, { msg: 'the run begins', workflow_id });
      find(worker, { msg: 'the run ends', workflow_id, status: 'COMPLETED' });
      find(worker, { msg: 'run advanced', workflow_id, event: 'REPORTED', next: 'RUN' });
      find(worker, {
        msg: 'step delivered',
        workflow_id,
        step_index: 2,
        attempt: 1,
        plugin: 'bare',
        status: 202,
      });
      const doubled = readFileSync(join(stack.dataDir, 'logs', 'worker.log'), 'utf8')
        .split('\n')
        .filter((line) => (line.match(/"resource_id":/g) ?? []).length > 1);
      assert.deepEqual(doubled, [], 'a field stands once in a line');
      assert.match(author.output(), new RegExp(`"request_id":"${requestId}"`));
    });

    it('continues normally while nothing receives traces', async () => {
      await receiver.stop();
      const registered = await client.upload('traced', { text: 'unseen' });
      const settled = await client.settled(registered.id);
      assert.equal(settled.status, 'COMPLETED', JSON.stringify(settled.error));
      const begun = Date.now();
      assert.equal(await stack.stop(), 0);
      assert.ok(Date.now() - begun < 60_000, `${Date.now() - begun} ms to stop`);
    });
  });
