import { Agent, request } from 'undici';
import type { RunningApi } from '../parts.js';

/** The parts of a search response that benches use. */
export interface Found {
  readonly items: readonly { readonly resource: { readonly id: string } }[];
}

/** Sends searches over persistent connections. Throws for any status other than 200. */
export interface Searching {
  ask(body: Readonly<Record<string, unknown>>): Promise<Found>;
  close(): Promise<void>;
}

export function startSearching({ base, key }: RunningApi, connections: number): Searching {
  const dispatcher = new Agent({ connections, pipelining: 1 });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return {
    async ask(body) {
      const answer = await request(`${base}/api/v1/search`, {
        ...{ method: 'POST', dispatcher, headers, body: JSON.stringify(body) },
      });
      const text = await answer.body.text();
      if (answer.statusCode !== 200) throw new Error(`A search returned ${answer.statusCode}: ${text}`);
      return JSON.parse(text) as Found;
    },
    close: () => dispatcher.destroy(),
  };
}

/**
 * Starts work at a steady rate without waiting for earlier work, like independent users. Resolves with the milliseconds
 * that each took since it was due.
 */
export async function atRate(
  { seconds, perSecond }: { readonly seconds: number; readonly perSecond: number },
  work: (index: number) => Promise<unknown>,
): Promise<number[]> {
  const begun = performance.now();
  const count = Math.round(seconds * perSecond);
  return await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const due = (index * 1000) / perSecond;
      await new Promise((resolve) => setTimeout(resolve, begun + due - performance.now()));
      await work(index);
      return performance.now() - begun - due;
    }),
  );
}
