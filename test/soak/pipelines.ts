import { setTimeout as sleep } from 'node:timers/promises';
import { startHttpWorker, type ArrivedStep, type HttpWorker } from '../support/http-worker.js';
import { createRestClient } from '../support/rest-client.js';
import type { TestStack } from '../support/stack.js';

/** One pipeline of each kind: built-in plugins, a worker that replies with its outcome, one that reports later. */
export const triggerTypes = ['soak-built-in', 'soak-reply', 'soak-callback'] as const;

/** The artifact types that a resource has in the end. */
export const expectedTypes: Readonly<Record<string, readonly string[]>> = {
  'soak-built-in': ['chunks', 'metadata', 'text'],
  'soak-reply': ['capitals'],
  'soak-callback': ['capitals', 'text', 'metadata'].sort(),
};

/** The text of a numbered resource: up to some thousand characters. */
export function contentOf(number: number): string {
  return Array.from({ length: 1 + ((number * 37) % 200) }, () => `This is resource ${number}.`).join('\n');
}

/** The text that an artifact of a type holds; null: it is of another kind. */
export function expectedText(type: string, number: number): string | null {
  if (type === 'text' || type === 'chunks') return contentOf(number);
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
    'soak-callback': ['soak-callback', 'extract-text'],
  };
  for (const [trigger_type, ids] of Object.entries(plugins)) {
    const steps = ids.map((plugin_id) => ({ plugin_id, ...bounds }));
    await client.expect(201, 'POST', '/pipelines', { name: trigger_type, trigger_type, steps });
  }
  return worker;
}

/** Reads the source and makes the report; a Core that is away costs the attempt. */
async function outcomeOf({ message }: ArrivedStep): Promise<object> {
  const headers = { authorization: `Bearer ${message.callback.token}` };
  try {
    const source = await fetch(message.resource.source_url, { headers });
    if (!source.ok) throw new Error(`The source was answered ${source.status}.`);
    const content = (await source.text()).toUpperCase();
    return { status: 'SUCCESS', artifact: { type: 'capitals', content_type: 'text', content } };
  } catch (error) {
    return { status: 'FAILURE', error: { code: 'NO_SOURCE', message: String(error) } };
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
