import { startHttpWorker } from '../support/workers/http-worker.js';
import { createRestClient } from '../support/service/rest-client.js';
import type { TestStack } from '../support/service/stack.js';
import { eventually } from '../support/eventually.js';

/** What is there before the first request is made up, so that requests can be about something. */
export interface Seeded {
  readonly resourceId: string;
  readonly artifactId: string;
  /** Of a resource whose worker never reports. */
  readonly waitingId: string;
  readonly callbackToken: string;
  /** Of a key that nothing is asked with. */
  readonly keyId: string;
  stop(): Promise<void>;
}

/** Registers a plugin, pipelines and resources: one that is COMPLETED, one that waits for its worker. */
export async function seed(stack: TestStack): Promise<Seeded> {
  const client = createRestClient(stack);
  const worker = await startHttpWorker();
  worker.handle = () => ({ status: 202 });
  const plugin = { id: 'silent', name: 'Silent', kind: 'http', endpoint: worker.endpoint };
  await client.expect(201, 'POST', '/plugins', plugin);
  await client.expect(201, 'POST', '/pipelines', {
    name: 'Waits',
    trigger_type: 'waits',
    steps: [{ plugin_id: 'silent', max_attempts: 1, backoff_seconds: 1, timeout_seconds: 3600 }],
  });
  const key = await client.expect(201, 'POST', '/keys', { name: 'Fuzz', scopes: ['read'] });
  const waiting = await client.upload('waits', { text: 'A text that waits.' });
  const step = await eventually(() => worker.arrived[0]);
  const done = await client.settled((await client.upload('document', { text: 'A text.' })).id);
  return {
    resourceId: done.id,
    artifactId: done.artifacts[0].id,
    waitingId: waiting.id,
    callbackToken: step.message.callback.token,
    keyId: key.id,
    stop: () => worker.stop(),
  };
}
