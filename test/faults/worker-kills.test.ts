import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../support/eventually.js';
import { isFull } from '../support/full.js';
import { startHttpWorker, type ArrivedStep, type HttpWorker } from '../support/workers/http-worker.js';
import { startLane, type Lane } from '../support/service/lane.js';
import { seededRandom } from '../support/models/random.js';
import { assertNothingHalfStored, objectsBelow } from '../support/stores/stored-objects.js';

/** Lanes side by side; in each, one worker after the other is killed. */
const together = isFull ? 4 : 1;
const plugins = ['extract-text', 'notes', 'chunk-text'];
const seed = Number(process.env['KW_TEST_SEED'] ?? Date.now() % 1_000_000);

const gateNames = {
  claims: 'before insert on attempts for each row',
  settles: `before update on attempts for each row when (old.outcome is null and new.outcome = 'SUCCESS')`,
  advances: `before update on steps for each row when (new.status = 'COMPLETED' and old.status <> 'COMPLETED')`,
};

/** What is there of a resource right after its worker was killed. */
interface Left {
  /** Of the step that was at work: its status, and its newest attempt, if there is one. */
  readonly step: string;
  readonly attempt: { readonly outcome: string | null } | null;
  /** Objects that no row names. */
  readonly unowned: number;
  /** Activities that Temporal believes to be at work. */
  readonly atWork: number;
  readonly workflow: string;
}

interface Phase {
  readonly name: string;
  readonly step: number;
  /** In the middle of whose transaction the worker is known to stand. */
  readonly gate?: keyof typeof gateNames;
  /** It may commit, and is not heard by Temporal any more, before it is killed. */
  readonly commits?: true;
  /** What the plugin of step 1 does when it is asked first. */
  readonly plugin?: 'holds' | 'takes';
  readonly left?: Partial<Left>;
}

const working = { workflow: 'RUNNING' };
const open = { attempt: { outcome: null } };
const done = { attempt: { outcome: 'SUCCESS' } };
const eachStep = (phase: Omit<Phase, 'step'>): Phase[] => plugins.map((_, step) => ({ ...phase, step }));
/** Their activity settles the attempt and ends the step in one transaction; after an HTTP worker's, the run does. */
const eachBuiltIn = (phase: Omit<Phase, 'step'>): Phase[] => [0, 2].map((step) => ({ ...phase, step }));

const phases: readonly Phase[] = [
  { name: 'at any moment', step: 0 },
  ...eachStep({
    name: 'before the claim',
    gate: 'claims',
    left: { ...working, step: 'RUNNING', attempt: null, atWork: 1 },
  }),
  { name: 'while the plugin is at work', plugin: 'holds', step: 1, left: { ...working, ...open, atWork: 1 } },
  { name: 'while a callback is awaited', plugin: 'takes', step: 1, left: { ...working, ...open, atWork: 0 } },
  ...eachStep({
    name: 'after the object is stored and before it is settled',
    gate: 'settles',
    left: { ...working, ...open, step: 'RUNNING', atWork: 1 },
  }),
  {
    name: 'after it is settled and before the activity returns',
    gate: 'settles',
    commits: true,
    step: 1,
    left: { ...working, ...done, step: 'RUNNING', unowned: 0, atWork: 1 },
  },
  {
    name: 'after the activity returned and before the step ends',
    gate: 'advances',
    step: 1,
    left: { ...working, ...done, step: 'RUNNING', atWork: 0 },
  },
  {
    name: 'between steps, before Temporal knows',
    gate: 'advances',
    commits: true,
    step: 1,
    left: { ...working, ...done, step: 'COMPLETED', atWork: 0 },
  },
  ...eachBuiltIn({
    name: 'between the two ends of a transaction that settles it and ends the step',
    gate: 'advances',
    left: { ...working, ...open, step: 'RUNNING', atWork: 1 },
  }),
  ...eachBuiltIn({
    name: 'after it is settled and its step ended, before Temporal knows',
    gate: 'advances',
    commits: true,
    left: { ...working, ...done, step: 'COMPLETED', unowned: 0, atWork: 1 },
  }),
];

/** What `npm test` tries, with one kill: before an outcome is stored, and after another is. `system/kills` kills while a plugin is at work. */
const always = [
  'after the object is stored and before it is settled',
  'after it is settled and before the activity returns',
].map((name) => phases.find((phase) => phase.name === name && phase.step === 1)!);
/** Each resource has its worker killed once, in a phase of one of its steps. KW_TEST_KILLS makes it more. */
const asked = process.env['KW_TEST_KILLS'] ?? (isFull ? '50' : undefined);
const resources = Number(asked ?? always.length);
const random = seededRandom(seed);
/** Every phase twice, and what is left by lot; in no order. Of fewer resources, the first of it. */
const byLot: readonly Phase[] = Array.from(
  { length: Math.max(resources, 2 * phases.length) },
  (_, index) =>
    phases[index < 2 * phases.length ? index % phases.length : Math.floor(random() * phases.length)]!,
)
  .map((phase) => ({ phase, place: random() }))
  .sort((a, b) => a.place - b.place)
  .map(({ phase }) => phase)
  .slice(0, resources);
/** The phase of each resource. */
const planned = asked === undefined ? always : byLot;

const textOf = (index: number): string => `Text ${index}. `.repeat(20 + index).trim();
const noteOf = (id: string): object => ({
  status: 'SUCCESS',
  artifact: { type: 'note', content_type: 'text', content: `of ${id}` },
});

describe(`workers that are killed without warning, with ${resources} resources`, () => {
  let plugin: HttpWorker;
  const lanes: Lane[] = [];
  const laneOf = (index: number): Lane => lanes[index % together]!;
  /** Resources by their index, which is also their name. */
  const ids: string[] = [];

  before(async function () {
    plugin = await startHttpWorker();
    for (let lane = 0; lane < together; lane++) lanes.push(await startLane());
    await Promise.all(
      lanes.map(async (lane) => {
        for (const [gate, when] of Object.entries(gateNames)) await lane.gates.add(gate, when);
        // It registers the built-in plugins.
        await lane.startWorker();
        const declared = { id: 'notes', name: 'Notes', kind: 'http', endpoint: plugin.endpoint };
        assert.equal((await lane.ask('POST', '/plugins', declared)).status, 201);
        const bounds = { max_attempts: 100, backoff_seconds: 0.1, timeout_seconds: 60 };
        const steps = plugins.map((plugin_id) => ({ plugin_id, ...bounds }));
        const pipeline = { name: 'Killed', trigger_type: 'killed', steps };
        assert.equal((await lane.ask('POST', '/pipelines', pipeline)).status, 201);
      }),
    );
  });
  after(async () => {
    await Promise.all(lanes.map((lane) => lane.stop()));
    await plugin.stop();
  });

  const register = async (lane: Lane, index: number): Promise<string> => {
    const form = new FormData();
    form.set('name', `${index}`);
    form.set('type', 'killed');
    form.set('file', new Blob([textOf(index)]), 'text.txt');
    const { status, body } = await lane.ask('POST', '/resources', form);
    assert.equal(status, 201);
    return body.id;
  };
  const arrivalsOf = (index: number): ArrivedStep[] =>
    plugin.arrived.filter(({ message }) => message.resource.id === ids[index]);
  const lookAt = async ({ api: { deps }, client }: Lane, id: string, step: number): Promise<Left> => {
    const where = { resource_id: id, run: 1 };
    const [[run], [row], attempts, artifacts, objects] = await Promise.all([
      deps.db('runs').where(where),
      deps.db('steps').where({ ...where, index: step }),
      deps
        .db('attempts')
        .where({ ...where, step_index: step })
        .orderBy('number', 'desc')
        .limit(1),
      deps.db('artifacts').where({ resource_id: id }),
      objectsBelow(deps, `resources/${id}/artifacts/`),
    ]);
    const { status, raw } = await client.workflow.getHandle(run.workflow_id as string).describe();
    return {
      step: row.status as string,
      attempt: attempts.length === 0 ? null : { outcome: attempts[0].outcome as string | null },
      unowned: objects.length - artifacts.length,
      atWork: raw.pendingActivities?.length ?? 0,
      workflow: status.name,
    };
  };

  const within = { timeoutMs: 300_000, intervalMs: 20 };
  const whatOf = (index: number): string => `${index} ${planned[index]!.step}`;
  const lookOf = (index: number) => (): Promise<Left> =>
    lookAt(laneOf(index), ids[index]!, planned[index]!.step);
  /** Registers a resource, and waits until it has come to its phase. */
  const bring = async (index: number): Promise<void> => {
    const phase = planned[index]!;
    const { gate } = phase;
    const lane = laneOf(index);
    const [what, look] = [whatOf(index), lookOf(index)];
    if (gate) await lane.gates.close(gate, what);
    ids[index] = await register(lane, index);
    if (gate) await eventually(() => lane.gates.isReached(gate, what), within);
    else if (phase.plugin) await eventually(() => arrivalsOf(index).length === 1, within);
    else await sleep(random() * 1_500);
    if (phase.plugin === 'takes') await eventually(async () => (await look()).atWork === 0, within);
  };
  /** Has it commit, and Temporal not hear of it. */
  const commit = async (index: number): Promise<void> => {
    const { gate, commits, left } = planned[index]!;
    if (!gate || !commits) return;
    const lane = laneOf(index);
    await lane.proxy.set('hang');
    await lane.gates.open(gate, whatOf(index));
    await eventually(async () => {
      const { attempt: settled, step: ended } = await lookOf(index)();
      return settled?.outcome === left?.attempt?.outcome && ended === left?.step;
    }, within);
  };
  /** Looks at what is left, and lets go of what is held. */
  const inspect = async (index: number): Promise<void> => {
    const { gate, ...phase } = planned[index]!;
    const left = await eventually(lookOf(index), within);
    assert.deepEqual({ ...left, ...phase.left }, left, `${phase.name}, step ${phase.step}`);
    if (gate === 'settles' && !phase.commits) assert.ok(left.unowned > 0, 'nothing was stored');
    if (gate && !phase.commits) await laneOf(index).gates.open(gate, whatOf(index));
    if (phase.plugin === 'takes')
      assert.equal((await plugin.report(arrivalsOf(index)[0]!, noteOf(ids[index]!))).status, 200);
  };
  /** Kills the worker that has these resources in hand when each has come to its phase. */
  const killAt = async (lane: Lane, indexes: readonly number[]): Promise<void> => {
    await Promise.all(indexes.map(bring));
    await Promise.all(indexes.map(commit));
    await lane.killWorker();
    await Promise.all(indexes.map(inspect));
    await lane.proxy.set('pass');
    await lane.startWorker();
  };

  it(`leave every resource COMPLETED, each artifact once, with its content (seed ${seed})`, async function () {
    // Everything that is waited for has its own bound.
    this.timeout(0);
    plugin.handle = async ({ message: { resource, attempt } }) => {
      const { plugin: first } = planned[Number(resource.name)]!;
      if (attempt.number === 1 && first !== undefined) return first === 'takes' ? { status: 202 } : undefined;
      await sleep(random() * 300);
      return { status: 200, body: noteOf(resource.id) };
    };
    let failed = false;
    const killed = await Promise.allSettled(
      lanes.map(async (lane, first) => {
        try {
          // One kill for all of the few resources of `npm test`.
          if (asked === undefined) await killAt(lane, [...planned.keys()]);
          else
            for (let index = first; index < resources && !failed; index += together)
              await killAt(lane, [index]);
        } catch (error) {
          failed = true;
          throw error;
        }
      }),
    );
    for (const lane of killed) if (lane.status === 'rejected') throw lane.reason;
    assert.equal(ids.length, resources);
    for (const { api } of lanes)
      await eventually(
        async () => {
          const open: unknown[] = await api.deps.db('resources').where({ status: 'PROCESSING' });
          if (open.length > 0) throw new Error(`${open.length} are PROCESSING`);
          return true;
        },
        { timeoutMs: 300_000, intervalMs: 200 },
      );

    for (const [index, id] of ids.entries()) {
      const lane = laneOf(index);
      const { body } = await lane.ask('GET', `/resources/${id}`);
      const what = `${index}: ${planned[index]!.name}: ${JSON.stringify(body.steps)}`;
      assert.deepEqual([body.status, body.run, body.error], ['COMPLETED', 1, null], what);
      const types = body.artifacts.map(({ type }: { type: string }) => type).sort();
      assert.deepEqual(types, ['chunks', 'metadata', 'note', 'text'], what);
      const content = async (type: string): Promise<any> => {
        const { id: artifactId } = body.artifacts.find((each: { type: string }) => each.type === type);
        return (await lane.ask('GET', `/resources/${id}/artifacts/${artifactId}`)).body.content;
      };
      assert.equal(await content('text'), textOf(index));
      assert.equal(await content('note'), `of ${id}`);
      const [chunk] = (await content('chunks')).chunks;
      assert.equal(chunk.text, textOf(index).slice(0, chunk.end));
    }
    for (const { api } of lanes) {
      assert.deepEqual(await api.deps.db('outbox'), []);
      // Each kill may leave what its attempt had stored: no plugin makes more than two artifacts.
      const { length: kills } = await api.deps.db('resources');
      await assertNothingHalfStored(api.deps, { orphansAllowed: 2 * kills });
    }
  });
});
