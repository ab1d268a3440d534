import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { inspect } from 'node:util';
import { eventually } from '../support/eventually.js';
import { startFleet, type Fleet } from '../support/service/fleet.js';
import { createKw } from '../support/service/kw.js';

const old = 'the-secret-that-all-had-before';
const next = 'the-secret-that-comes-after-it';
const artifact = { type: 'note', content_type: 'text', content: 'done' };

describe('KW_SECRET', function () {
  // Twelve processes are replaced one by one, and the doctor lets one wait for a minute and a half.
  this.timeout(20 * 60_000);
  let fleet: Fleet;

  before(async () => {
    fleet = await startFleet({ KW_SECRET: old, KW_DRAIN_SECONDS: '4' });
    const steps = [{ plugin_id: 'notes', max_attempts: 1 }];
    await fleet.client.expect(201, 'POST', '/pipelines', { name: 'Notes', trigger_type: 'note', steps });
  });
  after(() => fleet.stop());

  /** Gives every process these secrets, one after the other. */
  const roll = (secret: string): Promise<void> => fleet.roll({ KW_SECRET: secret });

  const doctor = async (secret: string): Promise<string> => {
    const { stdout } = await createKw({ ...fleet.env, KW_SECRET: secret })('doctor', '--json');
    const findings = JSON.parse(stdout) as { subject: string; message: string; status: string }[];
    const { status, message } = findings.find(({ subject }) => subject === 'KW_SECRET')!;
    return `${status}: ${message}`;
  };

  it('is replaced in three steps under load: no token, ETag or config is rejected', async () => {
    const { plugin, client, balancer, adminKey } = fleet;
    const held: (() => Promise<unknown>)[] = [];
    plugin.handle = (step) => {
      assert.deepEqual(step.message.plugin.config, { key: 'a value that is sealed' });
      const report = async (): Promise<void> => {
        // A replica may be gone while it is asked: an HTTP worker tries again.
        const status = await eventually(
          async () => (await plugin.report(step, { status: 'SUCCESS', artifact })).status,
        );
        assert.equal(status, 200);
      };
      if (step.message.resource.name.startsWith('held')) held.push(report);
      else void pause(200).then(report);
      return { status: 202 };
    };
    const tagged = await client.settled((await client.upload('note', { text: 'changed by tag' })).id);
    const heldOne = await client.upload('note', { text: 'held from the first step to the second' });
    await eventually(() => held.length === 1);

    /** Reads a tag from one replica and uses it at the next. */
    const changeByTag = async (name: string): Promise<void> => {
      const url = `${balancer.url}/api/v1/resources/${tagged.id}`;
      const { headers } = await client.call('GET', `/resources/${tagged.id}`);
      const answer = await fetch(url, {
        method: 'PATCH',
        headers: {
          authorization: `Bearer ${adminKey}`,
          'content-type': 'application/json',
          'if-match': headers.get('etag') ?? '',
        },
        body: JSON.stringify({ name }),
      });
      assert.equal(answer.status, 200, await answer.text());
    };
    let over = false;
    const made: string[] = [];
    const unexpected: string[] = [];
    const load = async (): Promise<void> => {
      for (let number = 0; !over; number++) {
        try {
          made.push((await client.upload('note', { text: `note ${number}` })).id);
          await changeByTag(`changed ${number} times`);
        } catch (error) {
          unexpected.push(inspect(error));
        }
        await pause(50);
      }
    };
    const loading = load();

    await roll(`${old},${next}`);
    await roll(`${next},${old}`);
    await held[0]!();
    assert.equal((await client.settled(heldOne.id)).status, 'COMPLETED');
    // A process says only once a minute which secret it signs with; tokens made until then count as the old secret's.
    await eventually(async () => /no longer needed/.test(await doctor(`${next},${old}`)), {
      timeoutMs: 240_000,
      intervalMs: 5_000,
    });
    await roll(next);
    over = true;
    await loading;

    assert.deepEqual([unexpected, balancer.failures()], [[], []]);
    for (const id of made) assert.equal((await client.settled(id)).status, 'COMPLETED');
    assert.ok(made.length > 20, `${made.length} resources`);
    const refused = fleet.services.flatMap((service) =>
      service
        .output()
        .split('\n')
        .filter((line) => /KW_SECRET opens|UNAUTHENTICATED/.test(line)),
    );
    assert.deepEqual(refused, []);
    await assert.rejects(fleet.start(0, { KW_SECRET: old }), /KW_SECRET is not the secret of this database/);
  });
});
