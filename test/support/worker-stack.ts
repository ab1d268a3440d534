import type { Answer } from './core.js';
import { startHttpWorker, type HttpWorker } from './http-worker.js';
import { createRestClient, type RestClient } from './rest-client.js';
import { startStack, type StackOptions, type TestStack } from './stack.js';

/** What a worker of somebody else's makes. */
export interface MadeArtifact {
  readonly type: string;
  readonly content_type: 'text' | 'json' | 'vector';
  readonly content: unknown;
}

/** A whole service whose type `note` is read by extract-text and then handed to an HTTP worker of the test. */
export interface WorkerStack {
  readonly stack: TestStack;
  readonly client: RestClient;
  readonly worker: HttpWorker;
  /** Registers a note of which the worker makes these artifacts, and waits until it is settled. */
  make(name: string, artifacts: readonly MadeArtifact[]): Promise<Answer['body']>;
  stop(): Promise<void>;
}

/** @param bounds Of the worker's step, beside `plugin_id` */
export async function startWorkerStack(
  bounds: object = {},
  options: StackOptions = {},
): Promise<WorkerStack> {
  const worker = await startHttpWorker();
  const stack = await startStack(options);
  const client = createRestClient(stack);
  const plugin = { id: 'far', name: 'Far', kind: 'http', endpoint: worker.endpoint };
  await client.expect(201, 'POST', '/plugins', plugin);
  const steps = [{ plugin_id: 'extract-text' }, { plugin_id: 'far', ...bounds }];
  await client.expect(201, 'POST', '/pipelines', { name: 'Notes', trigger_type: 'note', steps });
  return {
    stack,
    client,
    worker,
    async make(name, artifacts) {
      worker.handle = () => ({ status: 200, body: { status: 'SUCCESS', artifacts } });
      const form = new FormData();
      form.set('name', name);
      form.set('type', 'note');
      form.set('file', new Blob(['A note.']), 'note.txt');
      return client.settled((await client.expect(201, 'POST', '/resources', form)).id);
    },
    async stop() {
      await stack.stop();
      await worker.stop();
    },
  };
}
