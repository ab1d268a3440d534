import assert from 'node:assert/strict';
import { msToTs } from '@temporalio/common/lib/time.js';
import { uuidv7 } from '../../core/ids.js';
import { connectTemporal, type TemporalClient } from '../../runtime/temporal/connection.js';
import { createWorkflowClient, type WorkflowClient } from '../../runtime/temporal/workflow-client.js';
import { eventually } from '../support/eventually.js';
import { startTemporal } from '../support/servers/temporal.js';

const ours = ['KwPlugin', 'KwResourceId', 'KwResourceName', 'KwResourceType'];
const others = { OtherList01: 7, OtherList02: 7, OtherList03: 7 } as const;

describe('search attributes, in a namespace that does not have ours', () => {
  let temporal: TemporalClient;
  let namespace: string;
  const warnings: string[] = [];

  beforeEach(async () => {
    warnings.length = 0;
    const { config } = await startTemporal();
    namespace = uuidv7();
    temporal = await connectTemporal({ ...config, namespace });
    await temporal.connection.workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: msToTs('1 day'),
    });
    await eventually(() => knownAttributes());
  });
  afterEach(() => temporal.close());

  const operator = (): TemporalClient['connection']['operatorService'] => temporal.connection.operatorService;
  const knownAttributes = async (): Promise<readonly string[] | false> =>
    await operator()
      .listSearchAttributes({ namespace })
      .then(
        ({ customAttributes }) => Object.keys(customAttributes).sort(),
        () => false,
      );
  const clientWith = (attributesPauseMs: number): WorkflowClient =>
    createWorkflowClient({
      ...{ client: temporal.client, connection: temporal.connection, namespace },
      ...{ timeoutMs: 10_000, attributesPauseMs, publicUrl: 'http://localhost' },
      now: Date.now,
      warn: (message) => warnings.push(message),
    });
  const start = async (client: WorkflowClient, { name = 'a name', plugins = ['one'] } = {}) => {
    const resourceId = uuidv7();
    const bounds = { config: {}, max_attempts: 1, backoff_seconds: 0, timeout_seconds: 30 };
    const steps = plugins.map((plugin_id, index) => ({ index, plugin_id, ...bounds }));
    await client.startRun({
      ...{
        resourceId,
        run: 1,
        name,
        type: 'a type',
        steps: steps as never,
        begins: null,
        queue: null,
        origin: null,
      },
    });
    const handle = temporal.client.workflow.getHandle(`resource-${resourceId}-run-1`);
    const description = await handle.describe();
    await handle.terminate();
    return { resourceId, description, attributes: description.typedSearchAttributes.getAll() };
  };
  const namesOf = ({ attributes }: Awaited<ReturnType<typeof start>>): string[] =>
    attributes.map(({ key }) => key.name).sort();

  it('runs start without them, they are registered, and later runs have them', async () => {
    const client = clientWith(60_000);
    assert.deepEqual(namesOf(await start(client)), []);
    assert.match(warnings[0]!, /starts without search attributes: .*Kw(Resource|Plugin)/);
    await eventually(async () => namesOf(await start(client)).length === 4);
    assert.deepEqual(await knownAttributes(), ours);
  });

  it('without room for them, runs start without, ask once in a while, and have them when there is room', async () => {
    const present = { ...others, KwResourceId: 2 } as const;
    await operator().addSearchAttributes({ namespace, searchAttributes: present });
    const [patient, eager] = [clientWith(3_600_000), clientWith(100)];
    assert.deepEqual(namesOf(await start(patient)), []);
    await eventually(() => warnings.some((warning) => /could not be registered: .+/.test(warning)));
    assert.match(
      warnings.join('\n'),
      /^The search attributes KwResourceName, KwResourceType, KwPlugin could not be/m,
    );
    const before = [...warnings];
    assert.deepEqual(namesOf(await start(patient)), []);
    assert.deepEqual(warnings, before, 'it asked again');

    assert.deepEqual(namesOf(await start(eager)), []);
    await operator().removeSearchAttributes({ namespace, searchAttributes: Object.keys(others) });
    await eventually(async () => namesOf(await start(eager)).length === 4);
  });

  it('the longest names and the longest pipeline are cut to what Temporal accepts', async () => {
    const client = clientWith(0);
    await eventually(async () => namesOf(await start(client)).length === 4);
    warnings.length = 0;
    const plugins = Array.from({ length: 50 }, (_, index) => `plugin-${index}-`.padEnd(63, 'x'));
    for (const name of ['語'.repeat(255), '"\u0001'.repeat(127), `a${'😀'.repeat(127)}`]) {
      const run = await start(client, { name, plugins });
      const valueOf = (key: string): unknown => run.attributes.find((pair) => pair.key.name === key)?.value;
      assert.equal(valueOf('KwResourceId'), run.resourceId);
      assert.equal(valueOf('KwResourceName'), name);
      const found = valueOf('KwPlugin') as string[];
      assert.deepEqual(found, plugins.slice(0, found.length));
      assert.ok(found.length >= 25, `${found.length} plugins`);
      const summary = (await run.description.staticSummary())!;
      assert.ok(name.startsWith(summary), summary);
      assert.ok(Buffer.byteLength(JSON.stringify(summary)) <= 350);
      assert.ok(Buffer.byteLength(JSON.stringify(summary)) > 340);
    }
    assert.deepEqual(warnings, []);
  });
});
