import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from '../support/service/core.js';
import type { TestStack } from '../support/service/stack.js';
import { planResource } from './plan.js';

/** A client that gives up nothing: what got no answer is asked again. */
export interface PatientClient {
  /** Requests that were repeated because they got no answer, or were told to come again. */
  readonly repeats: () => number;
  get(path: string): Promise<Answer['body']>;
  /** Registers a numbered resource, under an Idempotency-Key of its own. Returns the resource's id. */
  register(number: number): Promise<string>;
  /** The ids of the resources that are PROCESSING. */
  processing(): Promise<Set<string>>;
}

const triesAtMost = 1_000;
const pauseMs = { repeat: 1_000, look: 1_000 } as const;

export function createPatientClient({ api, adminKey }: TestStack, seed: number): PatientClient {
  let repeats = 0;

  const ask = async (path: string, makeInit: () => RequestInit): Promise<Answer['body']> => {
    let last = '';
    for (let tries = 0; tries < triesAtMost; tries += 1) {
      if (tries > 0) {
        repeats += 1;
        await sleep(pauseMs.repeat);
      }
      try {
        const init = makeInit();
        const headers = { authorization: `Bearer ${adminKey}`, ...(init.headers as Record<string, string>) };
        const response = await fetch(`${api}/api/v1${path}`, { ...init, headers });
        const body = (await response.json()) as Answer['body'];
        if (response.ok) return body;
        last = `${response.status} ${JSON.stringify(body)}`;
        const isLater = response.status === 503 || body.error?.code === 'IDEMPOTENCY_IN_PROGRESS';
        if (!isLater) throw new Refused(`${path} was answered ${last}`);
      } catch (error) {
        if (error instanceof Refused) throw error;
        last = String(error);
      }
    }
    throw new Refused(`${path} got no answer in ${triesAtMost} tries: ${last}`);
  };

  const get = (path: string): Promise<Answer['body']> => ask(path, () => ({}));

  return {
    repeats: () => repeats,
    get,
    async register(number) {
      const { name, type, file } = planResource(number, seed);
      const blob = new Blob([new Uint8Array(Buffer.from(file.content as string))], { type: file.mediaType });
      const { id } = await ask('/resources', () => {
        const form = new FormData();
        form.set('name', name);
        form.set('type', type);
        form.set('file', blob, name);
        return { method: 'POST', body: form, headers: { 'idempotency-key': `soak-${number}` } };
      });
      return id;
    },
    async processing() {
      const ids = new Set<string>();
      for (let cursor: string | null = ''; cursor !== null;) {
        const page = await get(`/resources?status=PROCESSING&limit=200${cursor && `&cursor=${cursor}`}`);
        for (const { id } of page.items) ids.add(id);
        cursor = page.next_cursor;
      }
      return ids;
    },
  };
}

class Refused extends Error {}

/**
 * Registers resources and waits until they are settled, `together` at a time. Resolves with their ids by number.
 * `onSettled` is called with how many are settled.
 */
export async function runLoad(
  client: PatientClient,
  options: {
    readonly from: number;
    readonly to: number;
    readonly together: number;
    readonly onSettled: (count: number) => void;
  },
): Promise<Map<number, string>> {
  const ids = new Map<number, string>();
  const waiting = new Map<string, () => void>();
  let next = options.from;
  let settled = 0;
  const one = async (): Promise<void> => {
    while (next < options.to) {
      const number = next++;
      const id = await client.register(number);
      ids.set(number, id);
      await new Promise<void>((resolve) => waiting.set(id, resolve));
      options.onSettled((settled += 1));
    }
  };
  const registering = Promise.all(Array.from({ length: options.together }, one));
  // One look for all of them, so that the load is the work and not the asking.
  while (settled < options.to - options.from) {
    const asked = [...waiting];
    const processing = await client.processing();
    for (const [id, settle] of asked)
      if (!processing.has(id)) {
        waiting.delete(id);
        settle();
      }
    await sleep(pauseMs.look);
  }
  await registering;
  return ids;
}
