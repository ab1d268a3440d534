import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { verifyMessage } from '@knowledge-warehouse/plugin/signing';
import type { CancelMessage, CleanUpMessage, StepMessage } from '@knowledge-warehouse/plugin/protocol';

/** Faults of a worker. */
export type Fault =
  | 'skips the signature'
  | 'takes stale messages'
  | 'looks at one signature alone'
  | 'takes any protocol'
  | 'answers with an invalid report'
  | 'works twice on a duplicate'
  | 'works as well on a duplicate'
  | 'takes every attempt for the same'
  | 'takes every run for the same'
  | 'takes every step for the same'
  | 'breaks down at what it does not know'
  | 'reports large content inline'
  | 'uploads what is not valid'
  | 'forgets steps that come together'
  | 'never reports again'
  | 'goes on when it is told to stop'
  | 'knows no cancellation'
  | 'works on after a cancel'
  | 'reports a failure after its success'
  | 'reports percents'
  | 'claims success without its source'
  | 'keeps silent about failures'
  | 'gives endless details of a failure'
  | 'reads without its token'
  | 'names no media type'
  | 'beats too seldom'
  | 'fails its clean-up';

export interface FaultyWorker {
  readonly endpoint: string;
  stop(): Promise<void>;
}

type Message = StepMessage | CancelMessage | CleanUpMessage;

/** Starts a separate worker that converts a text to upper case. It follows the protocol except for its faults. */
export async function startFaultyWorker(secret: string, ...faults: readonly Fault[]): Promise<FaultyWorker> {
  const has = (fault: Fault): boolean => faults.includes(fault);
  const begun = new Map<string, { cancelled: boolean }>();
  let stopped = false;
  let works = 0;
  let atWork = 0;

  const server = createServer((request, response) => {
    void take(request)
      .catch(() => ({ status: 500, body: {} }))
      .then(({ status, body }) => response.writeHead(status).end(JSON.stringify(body)));
  });

  /** The key of an attempt, which some faults cut short. */
  function keyAsSeen({ resource, run, step_index }: StepMessage | CancelMessage, attempt: number): string {
    const parts = [
      resource.id,
      has('takes every run for the same') ? '' : run,
      has('takes every step for the same') ? '' : step_index,
      has('takes every attempt for the same') ? '' : attempt,
    ];
    return parts.join(' ');
  }

  async function take(request: IncomingMessage): Promise<{ status: number; body: unknown }> {
    const raw = await text(request);
    if (has('breaks down at what it does not know') && request.headers['webhook-signature'] === undefined)
      request.socket.destroy();
    if (!isGenuine(request, raw)) return { status: 401, body: {} };
    const message = JSON.parse(raw) as Message;
    switch (message.protocol) {
      case 'kw.cleanup/1':
        return { status: has('fails its clean-up') ? 500 : 204, body: {} };
      case 'kw.cancel/1': {
        if (has('knows no cancellation')) return { status: 404, body: {} };
        const attempt = begun.get(keyAsSeen(message, message.attempt));
        if (attempt !== undefined) attempt.cancelled = true;
        return { status: 202, body: {} };
      }
      case 'kw.step/1':
        return begin(message);
      default:
        return has('takes any protocol') ? begin(message) : { status: 400, body: {} };
    }
  }

  function isGenuine({ headers }: IncomingMessage, raw: string): boolean {
    if (has('skips the signature')) return true;
    if (has('looks at one signature alone'))
      headers['webhook-signature'] = String(headers['webhook-signature']).split(' ')[0];
    const now = has('takes stale messages') ? Number(headers['webhook-timestamp']) * 1000 : Date.now();
    return verifyMessage(secret, headers, raw, now);
  }

  function begin(step: StepMessage): { status: number; body: unknown } {
    if (has('answers with an invalid report'))
      return { status: 200, body: { status: 'SUCCESS', artifact: { type: 'a b', content_type: 'text' } } };
    const key = keyAsSeen(step, step.attempt.number);
    const known = begun.get(key);
    if (known === undefined || has('works twice on a duplicate') || has('works as well on a duplicate')) {
      const attempt = known ?? { cancelled: false };
      begun.set(key, attempt);
      const isForgotten = atWork >= 2 && has('forgets steps that come together');
      atWork += 1;
      void (isForgotten ? Promise.resolve() : work(step, attempt))
        .catch(() => undefined)
        .finally(() => (atWork -= 1));
    }
    return { status: 202, body: {} };
  }

  async function work(step: StepMessage, attempt: { cancelled: boolean }): Promise<void> {
    const { url, token } = step.callback;
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': has('names no media type') ? 'text/plain' : 'application/json',
    };
    const send = async (report: unknown): Promise<number> =>
      (await fetch(url, { method: 'POST', headers, body: JSON.stringify(report) })).status;

    works += 1;
    const fraction = has('reports percents') ? 50 : 0.5;
    await send({ status: 'PROGRESS', progress: { fraction } });
    const source = await fetch(step.resource.source_url, has('reads without its token') ? {} : { headers });
    const goesOn = has('goes on when it is told to stop') || has('works on after a cancel');
    if (attempt.cancelled && !goesOn) return;
    if (!source.ok && has('keeps silent about failures')) return;
    if (has('beats too seldom')) await wait(400);
    const details = has('gives endless details of a failure') ? { trace: 'x'.repeat(70_000) } : {};
    const error = { code: 'NO_SOURCE', message: `The source answers ${source.status}.`, details };
    const report =
      source.ok || has('claims success without its source')
        ? { status: 'SUCCESS', artifact: await capitals(step, await source.text()) }
        : { status: 'FAILURE', error };
    for (let tries = 0; tries < 20 && !stopped; tries += 1) {
      const status = await send(report);
      if (status >= 500 && !has('never reports again')) await wait(1000);
      else if (status === 200 && has('reports a failure after its success'))
        return void (await send({ status: 'FAILURE', error }));
      else if (status === 409 && has('goes on when it is told to stop')) await wait(100);
      else return;
    }
  }

  async function capitals(step: StepMessage, source: string): Promise<object> {
    const content = source.toUpperCase();
    const type = 'capitals';
    const head = { type, content_type: 'text', metadata: has('works twice on a duplicate') ? { works } : {} };
    if (content.length < 1024 * 1024 || has('reports large content inline')) return { ...head, content };
    const response = await fetch(`${step.callback.url}/uploads?type=${type}&content_type=text`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${step.callback.token}` },
      body: has('uploads what is not valid') ? Buffer.from([0xff, 0xfe]) : content,
    });
    if (!response.ok) throw new Error(`The upload was answered ${response.status}.`);
    return { ...head, upload_id: ((await response.json()) as { upload_id: string }).upload_id };
  }

  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/steps`,
    async stop() {
      stopped = true;
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
