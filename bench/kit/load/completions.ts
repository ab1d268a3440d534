import { Agent, request } from 'undici';

/** Follows the service's event stream to detect the ends of runs. */
export interface Completions {
  /** Resolves when the resource's run `run` is COMPLETED, even if it already was; rejects when it is FAILED. */
  of(id: string, run?: number): Promise<void>;
  close(): Promise<void>;
}

interface Change {
  readonly resource_id: string;
  readonly status: string;
  readonly run: number;
}

/** Opens `GET /events` and waits until the stream has begun. */
export async function followCompletions(base: string, key: string): Promise<Completions> {
  const dispatcher = new Agent({ bodyTimeout: 0 });
  const headers = { authorization: `Bearer ${key}` };
  const { statusCode, body } = await request(`${base}/api/v1/events`, { dispatcher, headers });
  if (statusCode !== 200) throw new Error(`The event stream returned ${statusCode}.`);
  const ended = new Map<string, string>();
  const waiting = new Map<string, { resolve: () => void; reject: (error: Error) => void }>();
  const settle = (name: string, status: string): void => {
    const waiter = waiting.get(name);
    if (waiter === undefined) return void ended.set(name, status);
    waiting.delete(name);
    if (status === 'COMPLETED') waiter.resolve();
    else waiter.reject(new Error(`${name} became ${status}`));
  };
  let begun!: () => void;
  const ready = new Promise<void>((resolve) => (begun = resolve));
  let unread = '';
  body.setEncoding('utf8');
  body.on('error', () => undefined);
  body.on('data', (part: string) => {
    const frames = (unread + part).split('\n\n');
    unread = frames.pop() ?? '';
    for (const frame of frames) {
      if (frame.includes('event: ready')) begun();
      const data = /^event: resource\.updated\ndata: (.*)$/m.exec(frame)?.[1];
      if (data === undefined) continue;
      const { resource_id, status, run } = JSON.parse(data) as Change;
      if (status !== 'PROCESSING' && status !== 'PENDING') settle(`${resource_id} ${run}`, status);
    }
  });
  await ready;
  return {
    of(id, run = 1) {
      const name = `${id} ${run}`;
      return new Promise((resolve, reject) => {
        waiting.set(name, { resolve, reject });
        const status = ended.get(name);
        ended.delete(name);
        if (status !== undefined) settle(name, status);
      });
    },
    async close() {
      body.destroy();
      await dispatcher.destroy();
    },
  };
}
