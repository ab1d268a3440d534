import assert from 'node:assert/strict';
import { deletePlugin } from '../../storage/pipelines/plugins.js';
import { replacePipeline } from '../../storage/pipelines/pipelines.js';
import { isFull } from '../support/full.js';
import { lockWaits } from '../support/servers/postgres.js';
import { startApi, type Answer, type TestApi } from '../support/service/api.js';

const together = isFull ? 100 : 40;
/** In a test that repeats them. */
const inRounds = isFull ? together : 24;
/** There are more while not every outcome was seen. */
const leastRounds = isFull ? 10 : 4;

describe('many requests at once', () => {
  let api: TestApi;

  before(async () => {
    api = await startApi();
    await api.call('POST', '/plugins', activityPlugin('steady'));
    await pipelineOf('steady', 'document');
  });
  after(() => api.stop());

  const activityPlugin = (id: string): object => ({
    id,
    name: id,
    kind: 'activity',
    task_queue: id,
    activity_type: 'work',
  });
  const pipelineOf = (plugin_id: string, trigger_type: string): Promise<Answer> =>
    api.call('POST', '/pipelines', { name: trigger_type, trigger_type, steps: [{ plugin_id }] });
  /** Asks again, as clients do, when a busy machine had no connection of the database in time. */
  const insist = async (request: () => Promise<Answer>): Promise<Answer> => {
    const answer = await request();
    return answer.status === 503 ? await insist(request) : answer;
  };
  const atOnce = (request: (index: number) => Promise<Answer>, count = together): Promise<Answer[]> =>
    Promise.all(Array.from({ length: count }, (_, index) => insist(() => request(index))));
  /** How often each answer came, as `status code`. */
  const tally = (answers: readonly Answer[]): Record<string, number> => {
    const counts: Record<string, number> = {};
    for (const { status, body } of answers) {
      const what = [status, body?.error?.code].filter(Boolean).join(' ');
      counts[what] = (counts[what] ?? 0) + 1;
    }
    return counts;
  };
  const assertOnly = (counts: Record<string, number>, ...allowed: readonly string[]): void =>
    assert.deepEqual(
      Object.keys(counts).filter((each) => !allowed.includes(each)),
      [],
      JSON.stringify(counts),
    );
  const rows = async (table: string, where: object = {}): Promise<any[]> =>
    await api.deps.db(table).where(where);
  const objects = async (): Promise<string[]> => {
    const keys: string[] = [];
    for await (const { key } of api.deps.objectStore.list('resources/')) keys.push(key);
    return keys.sort();
  };

  it('that register the same with one Idempotency-Key create one resource with one file', async () => {
    const upload = (): Promise<Answer> => {
      const form = new FormData();
      form.set('name', 'The only one');
      form.set('type', 'document');
      form.set('file', new Blob(['hello'], { type: 'text/plain' }), 'hello.txt');
      return api.call('POST', '/resources', form, { headers: { 'idempotency-key': 'one' } });
    };
    const answers = await atOnce(upload);
    const counts = tally(answers);
    assertOnly(counts, '201', '409 IDEMPOTENCY_IN_PROGRESS');
    assert.ok((counts['409 IDEMPOTENCY_IN_PROGRESS'] ?? 0) > 0, 'they were not at once');
    const ids = new Set(answers.filter(({ status }) => status === 201).map(({ body }) => body.id));
    assert.equal(ids.size, 1);
    const found = await rows('resources', { name: 'The only one' });
    assert.deepEqual(
      found.map(({ id }) => id),
      [...ids],
    );
    assert.deepEqual(await objects(), [found[0].object_key]);
    assert.equal((await rows('runs')).length, 1);
    assert.equal((await rows('outbox')).length, 1);
    assert.equal((await upload()).body.id, found[0].id);
  });

  it('that create a pipeline for one trigger type create one', async () => {
    const counts = tally(await atOnce(() => pipelineOf('steady', 'wanted')));
    assert.deepEqual(counts, { '201': 1, '409 TRIGGER_TYPE_TAKEN': together - 1 });
    assert.equal((await rows('pipelines', { trigger_type: 'wanted' })).length, 1);
    const [{ orphans }] = await api.deps
      .db('pipeline_steps')
      .whereNotIn('pipeline_id', api.deps.db('pipelines').select('id'))
      .select(api.deps.db.raw('count(*)::int as orphans'));
    assert.equal(orphans, 0);
  });

  it('that edit the same version of a resource change it once', async () => {
    const { body, headers } = await api.upload({ type: 'other' });
    const { body: seen, headers: seenHeaders } = await api.call('GET', `/resources/${body.id}`);
    const etag = seenHeaders.get('etag') ?? headers.get('etag') ?? '';
    assert.notEqual(etag, '');
    const answers = await atOnce((index) =>
      api.call(
        'PATCH',
        `/resources/${seen.id}`,
        { name: `Edit ${index}` },
        { headers: { 'if-match': etag } },
      ),
    );
    assert.deepEqual(tally(answers), { '200': 1, '412 PRECONDITION_FAILED': together - 1 });
    const winner = answers.find(({ status }) => status === 200)!;
    assert.equal((await api.call('GET', `/resources/${seen.id}`)).body.name, winner.body.name);
  });

  it('that toggle are executed one after another', async () => {
    const { body } = await api.upload({ type: 'other' });
    for (const [path, field] of [
      [`/resources/${body.id}`, 'is_enabled'],
      ['/plugins/steady', 'is_active'],
    ] as const) {
      const answers = await atOnce(() => api.call('PUT', `${path}/toggle`));
      assert.deepEqual(tally(answers), { '200': together });
      assert.equal(answers.filter(({ body: after }) => after[field] === true).length, together / 2);
      assert.equal((await api.call('GET', path)).body[field], true);
    }
  });

  it('that reprocess, cancel, toggle and delete one resource leave it consistent, or nothing of it', async () => {
    const seen: Record<string, number> = {};
    const kinds = ['200', '202', '204', '404 NOT_FOUND', '409 RESOURCE_PROCESSING'];
    const areAllSeen = (): boolean => kinds.every((kind) => seen[kind] !== undefined);
    for (let round = 0; round < leastRounds || (round < 40 && !areAllSeen()); round += 1) {
      const { id } = (await api.upload()).body;
      let tellOfTwo = (): void => undefined;
      const twoAnswered = new Promise<void>((resolve) => (tellOfTwo = resolve));
      let reprocessed = 0;
      const ask = [
        () => api.call('POST', `/resources/${id}/cancel`),
        async () => {
          const answer = await api.call('POST', `/resources/${id}/reprocess`);
          if (++reprocessed === 2) tellOfTwo();
          return answer;
        },
        () => api.call('PUT', `/resources/${id}/toggle`),
        // In most rounds it comes late, so that there is something to happen before.
        async (index: number) => {
          if (round > 1 && index < inRounds - 6) return await api.call('GET', `/resources/${id}`);
          if (round > 1) await twoAnswered;
          return await api.call('DELETE', `/resources/${id}`);
        },
      ] as const;
      const answers = await atOnce((index) => ask[index % ask.length]!(index), inRounds);
      const by = (kind: number): Record<string, number> =>
        tally(answers.filter((_, index) => index % ask.length === kind));
      const [cancels, reprocesses, toggles, deletes] = [by(0), by(1), by(2), by(3)];
      assertOnly(cancels, '202', '404 NOT_FOUND', '409 RESOURCE_NOT_PROCESSING');
      assertOnly(reprocesses, '202', '404 NOT_FOUND', '409 RESOURCE_PROCESSING');
      assertOnly(toggles, '200', '404 NOT_FOUND');
      assertOnly(deletes, '200', '204', '404 NOT_FOUND', '409 RESOURCE_PROCESSING');
      for (const counts of [cancels, reprocesses, toggles, deletes])
        for (const [what, count] of Object.entries(counts)) seen[what] = (seen[what] ?? 0) + count;

      const [resource] = await rows('resources', { id });
      const runs = await rows('runs', { resource_id: id });
      const starts = await rows('outbox', { resource_id: id, kind: 'START' });
      if (deletes['204'] !== undefined) {
        assert.equal(deletes['204'], 1);
        assert.deepEqual([resource, runs, starts], [undefined, [], []]);
        assert.deepEqual(await rows('steps', { resource_id: id }), []);
        continue;
      }
      assert.equal(resource.run, 1 + (reprocesses['202'] ?? 0));
      assert.equal(resource.is_enabled, (toggles['200'] ?? 0) % 2 === 0);
      assert.equal(runs.length, resource.run);
      assert.ok((cancels['202'] ?? 0) <= resource.run);
      const open = runs.filter(({ status }) => status === 'PROCESSING');
      const isOpen = resource.status === 'PROCESSING';
      assert.deepEqual(
        open.map(({ run }) => run),
        isOpen ? [resource.run] : [],
      );
      assert.equal(starts.length, isOpen ? 1 : 0);
    }
    // Each kind won at some time, and lost at some time.
    assert.ok(areAllSeen(), JSON.stringify(seen));
  });

  it('that start runs while the pipeline is edited give them all of its new steps', async () => {
    for (const id of ['leaving', 'staying']) await api.call('POST', '/plugins', activityPlugin(id));
    const steps = ['leaving', 'staying'].map((plugin_id) => ({ plugin_id }));
    const { body: pipeline } = await api.call('POST', '/pipelines', {
      name: 'Edited',
      trigger_type: 'edited',
      steps,
    });
    const register = (): Promise<Answer> =>
      api.call('POST', '/resources', {
        name: 'A resource',
        type: 'edited',
        source: { kind: 'URL', url: 'https://example.com/' },
      });
    const { body: resource } = await register();
    await api.call('POST', `/resources/${resource.id}/cancel`);
    const { db } = api.deps;
    const trx = await db.transaction();
    await replacePipeline(trx, pipeline.id, { steps: pipeline.steps.slice(1) });
    await deletePlugin(trx, 'leaving');
    const started = [register(), api.call('POST', `/resources/${resource.id}/reprocess`)];
    await lockWaits(db, started.length);
    await trx.commit();
    for (const { body } of await Promise.all(started))
      assert.deepEqual(
        body.steps.map((step: { index: number; plugin_id: string }) => [step.index, step.plugin_id]),
        [[0, 'staying']],
      );
  });

  it('that delete a plugin and create pipelines for it leave no pipeline without its plugin', async () => {
    let [deleted, kept] = [0, 0];
    for (let round = 0; round < leastRounds || (round < 40 && deleted * kept === 0); round += 1) {
      const plugin = `brief-${round}`;
      await api.call('POST', '/plugins', activityPlugin(plugin));
      let isCreated = (): void => undefined;
      const created = new Promise<void>((resolve) => (isCreated = resolve));
      // In every other round the first pipeline is there when the plugin is to go and the others come.
      const turn = round % 2 === 0 ? Promise.resolve() : created;
      const answers = await atOnce(async (index) => {
        if (index % 2 === 0) return await turn.then(() => api.call('DELETE', `/plugins/${plugin}`));
        if (index > 1) await turn;
        const answer = await pipelineOf(plugin, `brief ${round} ${index}`);
        isCreated();
        return answer;
      }, inRounds);
      const by = (which: number): Record<string, number> =>
        tally(answers.filter((_, index) => index % 2 === which));
      const [deletes, creates] = [by(0), by(1)];
      assertOnly(deletes, '204', '404 NOT_FOUND', '409 PLUGIN_IN_USE');
      assertOnly(creates, '201', '400 UNKNOWN_PLUGIN');
      const isThere = (await rows('plugins', { id: plugin })).length === 1;
      const steps = await rows('pipeline_steps', { plugin_id: plugin });
      assert.equal(deletes['204'] ?? 0, isThere ? 0 : 1);
      assert.equal(steps.length, creates['201'] ?? 0);
      if (isThere) kept += 1;
      else {
        deleted += 1;
        assert.equal(steps.length, 0);
      }
    }
    assert.ok(deleted > 0 && kept > 0, `${deleted} deleted, ${kept} kept`);
  });
});
