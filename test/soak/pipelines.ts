import { setTimeout as sleep } from 'node:timers/promises';
import { startHttpWorker, type ArrivedStep, type HttpWorker } from '../support/http-worker.js';
import { createRestClient } from '../support/rest-client.js';
import type { TestStack } from '../support/stack.js';

/** One pipeline of each kind: built-in plugins, a worker that replies with its outcome, one that reports later. */
export const triggerTypes = ['soak-built-in', 'soak-reply', 'soak-callback'] as const;

/** The artifact types that a resource has in the end. */
export const expectedTypes: Readonly<Record<string, readonly string[]>> = {
  'soak-built-in': ['chunks', 'metadata', 'text'],
  'soak-reply': ['copy'],
  'soak-callback': ['capitals', 'copy'],
};

/** The type of a numbered resource. One of ten goes to the built-in plugins, whose processes take the most time. */
export function typeOf(number: number): (typeof triggerTypes)[number] {
  if (number % 10 === 0) return 'soak-built-in';
  return number % 2 === 0 ? 'soak-reply' : 'soak-callback';
}

/** The text of a numbered resource: up to some thousand characters. */
export function contentOf(number: number): string {
  return Array.from({ length: 1 + ((number * 37) % 200) }, () => `This is resource ${number}.`).join('\n');
}

/** The text that an artifact of a type holds; null: it is of another kind. */
export function expectedText(type: string, number: number): string | null {
  if (['text', 'chunks', 'copy'].includes(type)) return contentOf(number);
  return type === 'capitals' ? contentOf(number).toUpperCase() : null;
}

/** Starts the worker and registers its plugins and the pipelines. */
export async function setUpPipelines(stack: TestStack): Promise<HttpWorker> {
  const worker = await startHttpWorker();
  worker.handle = async (step) => {
    worker.arrived.length = 0;
    const isLater = step.message.plugin.id === 'soak-callback';
    if (!isLater) return { status: 200, body: await outcomeOf(step) };
    void reportUntilTaken(worker, step);
    return { status: 202 };
  };
  const client = createRestClient(stack);
  const bounds = { max_attempts: 100, backoff_seconds: 0.2, timeout_seconds: 30 };
  for (const id of ['soak-reply', 'soak-callback']) {
    await client.expect(201, 'POST', '/plugins', { id, name: id, kind: 'http', endpoint: worker.endpoint });
  }
  const plugins: Readonly<Record<(typeof triggerTypes)[number], readonly string[]>> = {
    'soak-built-in': ['extract-text', 'chunk-text'],
    'soak-reply': ['soak-reply'],
    'soak-callback': ['soak-callback', 'soak-reply'],
  };
  for (const [trigger_type, ids] of Object.entries(plugins)) {
    const steps = ids.map((plugin_id) => ({ plugin_id, ...bounds }));
    await client.expect(201, 'POST', '/pipelines', { name: trigger_type, trigger_type, steps });
  }
  return worker;
}

/** Reads the source and makes the report. */
async function outcomeOf(step: ArrivedStep): Promise<object> {
  const { message } = step;
  try {
    const content = await readSource(step);
    const artifact =
      message.plugin.id === 'soak-reply'
        ? { type: 'copy', content_type: 'text', content }
        : { type: 'capitals', content_type: 'text', content: content.toUpperCase() };
    return { status: 'SUCCESS', artifact };
  } catch (error) {
    return { status: 'FAILURE', error: { code: 'NO_SOURCE', message: String(error) } };
  }
}

/** Waits for a Core that is away, for half a minute. */
async function readSource({ message: { resource, callback } }: ArrivedStep): Promise<string> {
  const headers = { authorization: `Bearer ${callback.token}` };
  for (let tries = 1; ; tries += 1) {
    const [status, text] = await fetch(resource.source_url, { headers })
      .then(async (source) => [source.status, await source.text()] as const)
      .catch(() => [null, ''] as const);
    if (status === 200) return text;
    if (tries === 60 || (status !== null && status < 500))
      throw new Error(`The source was answered ${status ?? 'not at all'}.`);
    await sleep(500);
  }
}

/** As a worker should: the same report until Core has answered it. */
async function reportUntilTaken(worker: HttpWorker, step: ArrivedStep): Promise<void> {
  const report = await outcomeOf(step);
  for (let tries = 0; tries < 200; tries += 1) {
    const answer = await worker.report(step, report).catch(() => null);
    if (answer !== null && answer.status < 500) return;
    await sleep(300);
  }
}
