import './quiet-worker.js';
import { ApplicationFailure, Context } from '@temporalio/activity';
import { NativeConnection, Worker } from '@temporalio/worker';
import type { ActivityMessage, StepMessage } from '@knowledge-warehouse/plugin/protocol';

/** Faults of an activity worker. */
export type ActivityFault =
  | 'leaves out the attempts used up'
  | 'never counts its attempts'
  | 'gives up a claim that was refused'
  | 'works on though it is settled'
  | 'reports and returns as well'
  | 'reports a success and throws'
  | 'returns what is no result'
  | 'returns one artifact'
  | 'returns too much'
  | 'goes on after a cancel'
  | 'claims success without its source'
  | 'takes half of a content for all of it'
  | 'forgets a report that was refused'
  | 'reads without its token';

/**
 * Starts a worker built only on Temporal's SDK, which converts a text to upper case. It follows the protocol except for
 * its faults. Returns a function that stops it.
 *
 * @param reports Whether it reports to the callback instead of returning its artifacts.
 */
export async function startFaultyActivity(
  temporal: { readonly address: string; readonly namespace: string },
  taskQueue: string,
  { reports, faults }: { readonly reports: boolean; readonly faults: readonly ActivityFault[] },
): Promise<() => Promise<void>> {
  const has = (fault: ActivityFault): boolean => faults.includes(fault);
  const key = { authorization: 'Bearer kw_any', 'content-type': 'application/json' };

  async function capitals(message: ActivityMessage): Promise<unknown> {
    const context = Context.current();
    const beat = setInterval(() => context.heartbeat(), 200);
    try {
      const { resource_id, run, step_index } = message;
      const base = has('leaves out the attempts used up') ? 0 : message.attempt_base;
      const attempt = base + (has('never counts its attempts') ? 1 : context.info.attempt);
      const claim = JSON.stringify({ resource_id, run, step_index, attempt });
      const url = `${message.core_url}/api/v1/internal/attempts`;
      const send = (): Promise<Response> => fetch(url, { method: 'POST', headers: key, body: claim });
      let answer = await send();
      for (let tries = 0; tries < 20 && answer.status === 503; tries += 1) {
        if (has('gives up a claim that was refused'))
          throw ApplicationFailure.create({ type: 'NO_CLAIM', message: 'The claim was refused.' });
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        answer = await send();
      }
      const step = (await answer.json()) as StepMessage | { settled: true };
      if ('settled' in step) return has('works on though it is settled') ? result('ONE TWO') : undefined;
      return await work(step, context);
    } finally {
      clearInterval(beat);
    }
  }

  async function work(step: StepMessage, context: Context): Promise<unknown> {
    const headers = { authorization: `Bearer ${step.callback.token}`, 'content-type': 'application/json' };
    const signal = has('goes on after a cancel') ? null : context.cancellationSignal;
    const read = async (url: string): Promise<string> => {
      const source = await fetch(url, { ...(has('reads without its token') ? {} : { headers }), signal });
      if (!source.ok && !has('claims success without its source'))
        throw ApplicationFailure.create({
          type: 'NO_SOURCE',
          message: `The source answers ${source.status}.`,
        });
      if (!has('takes half of a content for all of it')) return await source.text();
      const arrived: Uint8Array[] = [];
      try {
        for await (const chunk of source.body ?? []) arrived.push(chunk);
      } catch {
        // The connection broke.
      }
      return Buffer.concat(arrived).toString();
    };
    const texts: string[] = [];
    for (const url of [step.resource.source_url, ...step.inputs.map((input) => input.url)])
      texts.push(await read(url));
    const content = texts
      .join('')
      .toUpperCase()
      .slice(0, has('returns too much') ? 300 * 1024 : 100);
    if (content === '') throw ApplicationFailure.nonRetryable('There is nothing.', 'NO_TEXT');
    if (has('returns what is no result')) return { artifacts: [{ type: 'a b' }] };
    if (has('returns one artifact')) return { artifact: result(content).artifacts[0] };
    if (!reports) return result(content);
    const body = JSON.stringify({ status: 'SUCCESS', ...result(content) });
    for (let tries = 0; tries < 20; tries += 1) {
      const { status } = await fetch(step.callback.url, { method: 'POST', headers, body });
      if (status < 500 || has('forgets a report that was refused')) break;
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
    if (has('reports a success and throws'))
      throw ApplicationFailure.create({ type: 'LATER', message: 'no' });
    return has('reports and returns as well') ? result(`${content}!`) : undefined;
  }

  const connection = await NativeConnection.connect({ address: temporal.address });
  const worker = await Worker.create({
    connection,
    namespace: temporal.namespace,
    taskQueue,
    activities: { capitals },
    shutdownGraceTime: 100,
    maxHeartbeatThrottleInterval: 200,
    defaultHeartbeatThrottleInterval: 200,
  });
  const running = worker.run();
  return async () => {
    worker.shutdown();
    await running;
    await connection.close();
  };
}

const result = (content: string): { artifacts: object[] } => ({
  artifacts: [{ type: 'capitals', content_type: 'text', content }],
});
