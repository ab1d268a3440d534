import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { type Answer, type TestApi } from '../service/api.js';
import { cancelling, reprocessing, type ModelledRun } from './run-model.js';

/** The expected state of a resource. */
interface Modelled extends ModelledRun {
  readonly id: string;
  readonly type: string;
  name: string;
  isEnabled: boolean;
  /** The plugins of its run's steps, from the pipeline at that time. */
  snapshot: readonly string[];
}

/** The expected state. Pipelines by trigger type, resources by id, oldest first. */
export interface Model {
  readonly plugins: Set<string>;
  readonly pipelines: Map<string, { id: string; steps: readonly string[] }>;
  readonly resources: Map<string, Modelled>;
}
type Command = fc.AsyncCommand<Model, TestApi>;

const pluginNames = ['p0', 'p1', 'p2'] as const;
const types = ['t0', 't1', 't2'] as const;
const plugin = fc.constantFrom(...pluginNames);
const type = fc.constantFrom(...types);
const place = fc.nat(3);

/** Asserts the status of a response, and its code for an error. */
function expectAnswer({ status, body, text }: Answer, expected: number, code?: string): void {
  assert.deepEqual([status, body?.error?.code], [expected, code], text);
}

/** Creates a command without preconditions. */
function command(name: string, run: (model: Model, api: TestApi) => Promise<void>): Command {
  return { check: () => true, run, toString: () => name };
}

const registerPlugin = (id: string): Command =>
  command(`registerPlugin(${id})`, async (model, api) => {
    const answer = await api.call('POST', '/plugins', {
      id,
      name: id,
      kind: 'activity',
      task_queue: id,
      activity_type: 'work',
    });
    if (model.plugins.has(id)) {
      expectAnswer(answer, 409, 'PLUGIN_EXISTS');
      return;
    }
    expectAnswer(answer, 201);
    model.plugins.add(id);
  });

const deletePlugin = (id: string): Command =>
  command(`deletePlugin(${id})`, async (model, api) => {
    const answer = await api.call('DELETE', `/plugins/${id}`);
    if (!model.plugins.has(id)) {
      expectAnswer(answer, 404, 'NOT_FOUND');
      return;
    }
    const isUsed =
      [...model.pipelines.values()].some(({ steps }) => steps.includes(id)) ||
      [...model.resources.values()].some(
        ({ status, snapshot }) => status === 'PROCESSING' && snapshot.includes(id),
      );
    if (isUsed) {
      expectAnswer(answer, 409, 'PLUGIN_IN_USE');
      return;
    }
    expectAnswer(answer, 204);
    model.plugins.delete(id);
  });

const createPipeline = (trigger_type: string, steps: readonly string[]): Command =>
  command(`createPipeline(${trigger_type}, ${steps.join()})`, async (model, api) => {
    const body = { name: trigger_type, trigger_type, steps: steps.map((plugin_id) => ({ plugin_id })) };
    const answer = await api.call('POST', '/pipelines', body);
    const isKnown = steps.every((id) => model.plugins.has(id));
    const isTaken = model.pipelines.has(trigger_type);
    if (!isKnown && !isTaken) {
      expectAnswer(answer, 400, 'UNKNOWN_PLUGIN');
      return;
    }
    if (!isKnown) {
      assert.ok([400, 409].includes(answer.status), answer.text);
      return;
    }
    if (isTaken) {
      expectAnswer(answer, 409, 'TRIGGER_TYPE_TAKEN');
      return;
    }
    expectAnswer(answer, 201);
    model.pipelines.set(trigger_type, { id: answer.body.id, steps });
  });

const replaceSteps = (trigger_type: string, steps: readonly string[]): Command =>
  command(`replaceSteps(${trigger_type}, ${steps.join()})`, async (model, api) => {
    const pipeline = model.pipelines.get(trigger_type);
    if (pipeline === undefined) return;
    const answer = await api.call('PUT', `/pipelines/${pipeline.id}`, {
      steps: steps.map((plugin_id) => ({ plugin_id })),
    });
    if (!steps.every((id) => model.plugins.has(id))) {
      expectAnswer(answer, 400, 'UNKNOWN_PLUGIN');
      return;
    }
    expectAnswer(answer, 200);
    model.pipelines.set(trigger_type, { ...pipeline, steps });
  });

const deletePipeline = (trigger_type: string): Command =>
  command(`deletePipeline(${trigger_type})`, async (model, api) => {
    const pipeline = model.pipelines.get(trigger_type);
    if (pipeline === undefined) return;
    expectAnswer(await api.call('DELETE', `/pipelines/${pipeline.id}`), 204);
    expectAnswer(await api.call('DELETE', `/pipelines/${pipeline.id}`), 404, 'NOT_FOUND');
    model.pipelines.delete(trigger_type);
  });

const register = (ofType: string, name: string): Command =>
  command(`register(${ofType}, ${name})`, async (model, api) => {
    const answer = await api.upload({ type: ofType, name });
    expectAnswer(answer, 201);
    const isRun = model.pipelines.has(ofType);
    const { id } = answer.body;
    const state = isRun
      ? ({ status: 'PROCESSING', run: 1 } as const)
      : ({ status: 'PENDING', run: 0 } as const);
    model.resources.set(id, {
      id,
      type: ofType,
      name,
      isEnabled: true,
      snapshot: snapshotOf(model, ofType),
      ...state,
    });
  });

const snapshotOf = (model: Model, ofType: string): readonly string[] =>
  model.pipelines.get(ofType)?.steps ?? [];

/** Creates a command about one of the existing resources. Does nothing without any. */
const onResource = (
  what: string,
  at: number,
  run: (resource: Modelled, model: Model, api: TestApi) => Promise<void>,
): Command =>
  command(`${what}(${at})`, async (model, api) => {
    const all = [...model.resources.values()];
    const resource = all[at % all.length];
    if (resource !== undefined) await run(resource, model, api);
  });

const reprocess = (at: number): Command =>
  onResource('reprocess', at, async (resource, model, api) => {
    const { answer, left } = reprocessing(resource, model.pipelines.has(resource.type));
    expectAnswer(await api.call('POST', `/resources/${resource.id}/reprocess`), ...answer);
    if (left.run > resource.run) resource.snapshot = snapshotOf(model, resource.type);
    Object.assign(resource, left);
  });

const cancel = (at: number): Command =>
  onResource('cancel', at, async (resource, _model, api) => {
    const { answer, left } = cancelling(resource);
    expectAnswer(await api.call('POST', `/resources/${resource.id}/cancel`), ...answer);
    Object.assign(resource, left);
  });

const toggle = (at: number): Command =>
  onResource('toggle', at, async (resource, _model, api) => {
    expectAnswer(await api.call('PUT', `/resources/${resource.id}/toggle`), 200);
    resource.isEnabled = !resource.isEnabled;
  });

/** Sends several toggles concurrently and checks that none is lost. */
const toggleAtOnce = (at: number, times: number): Command =>
  onResource(`toggleAtOnce ${times} times`, at, async (resource, _model, api) => {
    const answers = await Promise.all(
      Array.from({ length: times }, () => api.call('PUT', `/resources/${resource.id}/toggle`)),
    );
    for (const answer of answers) expectAnswer(answer, 200);
    if (times % 2 === 1) resource.isEnabled = !resource.isEnabled;
  });

const rename = (at: number, name: string): Command =>
  onResource(`rename to ${name}`, at, async (resource, _model, api) => {
    expectAnswer(await api.call('PATCH', `/resources/${resource.id}`, { name }), 200);
    resource.name = name;
  });

const remove = (at: number): Command =>
  onResource('remove', at, async (resource, model, api) => {
    const answer = await api.call('DELETE', `/resources/${resource.id}`);
    if (resource.status === 'PROCESSING') {
      expectAnswer(answer, 409, 'RESOURCE_PROCESSING');
      return;
    }
    expectAnswer(answer, 204);
    expectAnswer(await api.call('GET', `/resources/${resource.id}`), 404, 'NOT_FOUND');
    model.resources.delete(resource.id);
  });

/** Sends a cancel and a reprocess concurrently. Responses and resource must match one order or the other. */
const race = (at: number, first: 'cancel' | 'reprocess'): Command =>
  onResource(`cancel and reprocess at once, ${first} first`, at, async (resource, model, api) => {
    const hasPipeline = model.pipelines.has(resource.type);
    const cancelledFirst = cancelling(resource);
    const reprocessedLast = reprocessing(cancelledFirst.left, hasPipeline);
    const reprocessedFirst = reprocessing(resource, hasPipeline);
    const cancelledLast = cancelling(reprocessedFirst.left);
    const orders = [
      [cancelledFirst.answer, reprocessedLast.answer, reprocessedLast.left],
      [cancelledLast.answer, reprocessedFirst.answer, cancelledLast.left],
    ];

    const ask = (what: string): Promise<Answer> => api.call('POST', `/resources/${resource.id}/${what}`);
    const sent = (first === 'cancel' ? ['cancel', 'reprocess'] : ['reprocess', 'cancel']).map(ask);
    const answers = await Promise.all(first === 'cancel' ? sent : sent.toReversed());
    const { body } = await api.call('GET', `/resources/${resource.id}`);
    const left = { status: body.status, run: body.run };
    const seen = [...answers.map((each) => [each.status, each.body?.error?.code]), left];
    const isOneOf = orders.some((order) => isDeepStrictEqual(seen, order));
    assert.ok(isOneOf, `${JSON.stringify(seen)}, which is none of ${JSON.stringify(orders)}`);
    if (left.run > resource.run) resource.snapshot = snapshotOf(model, resource.type);
    Object.assign(resource, left);
  });

/** Checks everything that can be read against the model. */
export const readAll = (): Command =>
  command('readAll', async (model, api) => {
    const plugins = (await api.call('GET', '/plugins')).body.items.map(({ id }: { id: string }) => id).sort();
    assert.deepEqual(plugins, [...model.plugins].sort());
    const pipelines = (await api.call('GET', '/pipelines')).body.items.map((each: any) => [
      each.trigger_type,
      each.steps.map(({ plugin_id }: { plugin_id: string }) => plugin_id),
    ]);
    assert.deepEqual(
      Object.fromEntries(pipelines),
      Object.fromEntries([...model.pipelines].map(([key, { steps }]) => [key, steps])),
    );
    const { items } = (await api.call('GET', '/resources?limit=200')).body;
    const shown = items.map((each: any) => [
      each.id,
      each.name,
      each.status,
      each.run,
      each.is_enabled,
      each.no_matching_pipeline,
    ]);
    const due = [...model.resources.values()].map((each) => [
      each.id,
      each.name,
      each.status,
      each.run,
      each.isEnabled,
      !model.pipelines.has(each.type),
    ]);
    assert.deepEqual(shown.sort(), due.sort());
  });

const steps = fc.array(plugin, { minLength: 1, maxLength: 3 });
const name = fc
  .string({ minLength: 1, maxLength: 20, unit: 'grapheme' })
  .filter((text) => text.trim() === text && !/[\p{Cc}\p{Cs}]/u.test(text) && text !== '');
export const commands = fc.commands(
  [
    plugin.map(registerPlugin),
    plugin.map(deletePlugin),
    fc.tuple(type, steps).map((each) => createPipeline(...each)),
    fc.tuple(type, steps).map((each) => replaceSteps(...each)),
    type.map(deletePipeline),
    fc.tuple(type, name).map((each) => register(...each)),
    place.map(reprocess),
    place.map(cancel),
    place.map(toggle),
    fc.tuple(place, fc.integer({ min: 2, max: 5 })).map((each) => toggleAtOnce(...each)),
    fc.tuple(place, name).map((each) => rename(...each)),
    place.map(remove),
    fc.tuple(place, fc.constantFrom('cancel', 'reprocess')).map((each) => race(...each)),
    fc.constant(readAll()),
  ],
  { size: 'max', maxCommands: 60 },
);
