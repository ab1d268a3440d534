import { setTimeout as sleep } from 'node:timers/promises';
import type { ArrivedStep, HttpWorker } from '../support/workers/http-worker.js';
import { createRestClient } from '../support/service/rest-client.js';
import { numberOf, planResource, type TriggerType } from './plan.js';

/**
 * Attempts of a step that faults may take: more than they ever do, so that what fails has failed for a reason of its own.
 */
const bounds = { max_attempts: 100, backoff_seconds: 0.2, timeout_seconds: 30 } as const;
/** A document waits for its turn among parsers while the time of its attempt runs. */
const builtInBounds = { ...bounds, timeout_seconds: 120 } as const;
/** Longer than the worker is ever frozen, and shorter than it is left alone now and then: some files take all of it. */
const parserSeconds = 18;

/** Registers the worker's plugins and the pipelines. @param endpoint of the worker, as Core reaches it */
export async function setUpPipelines(
  stack: { readonly api: string; readonly adminKey: string },
  endpoint: string,
): Promise<void> {
  const client = createRestClient(stack);
  for (const id of ['soak-reply', 'soak-callback'])
    await client.expect(201, 'POST', '/plugins', { id, name: id, kind: 'http', endpoint });
  const parsers = ['extract-text', 'chunk-text'];
  for (const id of parsers)
    await client.expect(200, 'PUT', `/plugins/${id}/config`, { config: { timeout_seconds: parserSeconds } });
  const pipelines: Readonly<Record<TriggerType, readonly object[]>> = {
    'soak-built-in': parsers.map((plugin_id) => ({ plugin_id, ...builtInBounds })),
    'soak-reply': [{ plugin_id: 'soak-reply', ...bounds }],
    'soak-callback': [
      { plugin_id: 'soak-callback', ...bounds },
      { plugin_id: 'soak-reply', ...bounds },
    ],
  };
  for (const [trigger_type, steps] of Object.entries(pipelines))
    await client.expect(201, 'POST', '/pipelines', { name: trigger_type, trigger_type, steps });
}

/** Has the worker do what its steps ask for; of some resources it reports what is hostile. */
export function serveSteps(worker: HttpWorker, seed: number): void {
  /** The steps of which it has sent a report that Core refuses: those come right the next time. */
  const refused = new Set<string>();
  worker.handle = async (step) => {
    worker.arrived.length = 0;
    const isLater = step.message.plugin.id === 'soak-callback';
    if (!isLater) return { status: 200, body: await reportOf(step, seed, refused) };
    void reportUntilTaken(step, seed, refused);
    return { status: 202 };
  };
}

/** The report of a step as it is sent. */
async function reportOf(step: ArrivedStep, seed: number, refused: Set<string>): Promise<string> {
  const { resource, step_index, plugin } = step.message;
  const { report } = planResource(numberOf(resource.name), seed);
  const key = `${resource.id} ${step_index}`;
  const isHostile = report !== null && step_index === 0 && !refused.has(key);
  if (!isHostile) return JSON.stringify(await outcomeOf(step));
  if (report.isRefused) refused.add(key);
  return report.text(plugin.id === 'soak-reply' ? 'copy' : 'capitals');
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

/** As a worker should: the same report until Core has answered it; another one where Core says that it is not valid. */
async function reportUntilTaken(step: ArrivedStep, seed: number, refused: Set<string>): Promise<void> {
  const { url, token } = step.message.callback;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  let body = await reportOf(step, seed, refused);
  for (let tries = 0; tries < 200; tries += 1) {
    const status = await fetch(url, { method: 'POST', headers, body }).then(
      async (answer) => (await answer.arrayBuffer(), answer.status),
      () => null,
    );
    if (status === 400 || status === 413) body = await reportOf(step, seed, refused);
    else if (status !== null && status < 500) return;
    await sleep(300);
  }
}
