import assert from 'node:assert/strict';
import { childPlaces } from '../../plugins/host/run-in-child.js';
import { definePlugin, type AnyPlugin, type PluginContext } from '@knowledge-warehouse/plugin';
import { startCore, type Answer, type TestCore } from '../support/service/core.js';
import { eventually } from '../support/eventually.js';

const pdf = '%PDF-1.4 of a kind';
/** More than is light to cut. */
const longText = 'A line of a text that is too long to be light.\n'.repeat(25_000);

describe('steps that read documents', () => {
  let core: TestCore;
  /** What began, in order: the name of the resource and the plugin. */
  let begun: string[];
  /** Nothing has read a PDF before it is open. */
  let gate: { readonly opened: Promise<void>; readonly open: () => void };

  /** Stands in for a plugin that reads: the places it takes are the same, the time it takes is the test's. */
  function reader(id: string, run: (ctx: PluginContext<unknown>) => Promise<void>): AnyPlugin {
    return definePlugin({
      id,
      name: id,
      version: '1.0.0',
      configSchema: { type: 'object' },
      produces: [],
      async run(ctx) {
        begun.push(`${ctx.resource.name} ${id}`);
        await run(ctx);
      },
    });
  }

  before(async () => {
    core = await startCore({
      plugins: [
        reader('extract-text', async (ctx) => {
          if (ctx.resource.name.endsWith('.pdf')) await gate.opened;
          await ctx.emit({ type: 'text', content_type: 'text', content: longText });
        }),
        reader('chunk-text', () => Promise.resolve()),
      ],
    });
    await core.pipeline('read', { plugin_id: 'extract-text', timeout_seconds: 60 });
    await core.pipeline(
      'read-and-cut',
      { plugin_id: 'extract-text', timeout_seconds: 60 },
      { plugin_id: 'chunk-text', timeout_seconds: 60 },
    );
  });

  beforeEach(() => {
    begun = [];
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    gate = { opened, open };
  });

  after(() => core.stop());

  const registerAll = async (type: string, count: number): Promise<string[]> => {
    const ids: string[] = [];
    for (let number = 0; number < count; number += 1) {
      const { status, body } = await core.register(type, pdf, `${number}.pdf`);
      assert.equal(status, 201);
      ids.push(body.id);
    }
    return ids;
  };

  const stepOf = async (id: string, index = 0): Promise<Answer['body']> =>
    (await core.call('GET', `/resources/${id}`)).body.steps[index];

  it('start only when a process is free, show that they wait, and delay no short text', async () => {
    const ids = await registerAll('read', childPlaces + 3);
    await eventually(() => begun.length === childPlaces);
    const waiting = await eventually(async () => {
      const steps = await Promise.all(ids.map((id) => stepOf(id)));
      const found = steps.filter((step) => step.waiting_for?.kind === 'room');
      return found.length === 3 && found;
    });
    for (const { waiting_for } of waiting) {
      assert.equal(waiting_for.task_queue, 'kw-core-documents');
      assert.match(waiting_for.message, /free slot/);
    }
    // Beside them, a short text is read in the worker and a longer one in the place for light work.
    for (const text of ['short', 'of moderate size\n'.repeat(6_000)]) {
      const { body } = await core.register('read', text, 'a.txt');
      assert.equal((await core.settled(body.id)).status, 'COMPLETED');
    }
    // None of those that wait has an attempt whose time runs, or that a killed worker would cost.
    const { rows } = await core.deps.db.raw(
      'select count(*)::integer as open from attempts where outcome is null',
    );
    assert.equal(rows[0].open, childPlaces);
    gate.open();
    for (const id of ids) {
      const { status, steps } = await core.settled(id);
      assert.deepEqual([status, steps[0].attempt], ['COMPLETED', 1]);
    }
  });

  it('are finished resource by resource', async () => {
    const ids = await registerAll('read-and-cut', childPlaces + 6);
    await eventually(async () => {
      const steps = await Promise.all(ids.map((id) => stepOf(id)));
      return steps.filter((step) => step.waiting_for?.kind === 'room').length === 6;
    });
    gate.open();
    for (const id of ids) assert.equal((await core.settled(id)).status, 'COMPLETED');
    const firstCut = begun.findIndex((what) => what.endsWith('chunk-text'));
    const lastRead = begun.findLastIndex((what) => what.endsWith('extract-text'));
    assert(firstCut < lastRead - 2, begun.join(', '));
  });
});
