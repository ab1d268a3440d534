import { Agent, request } from 'undici';

/** Sends GET requests over persistent connections. Throws for any status other than 200. */
export interface Getter {
  /** Resolves when the whole response was read. */
  get(url: string): Promise<void>;
  close(): Promise<void>;
}

export function startGetter(connections: number, key: string): Getter {
  const dispatcher = new Agent({ connections, pipelining: 1 });
  const headers = { authorization: `Bearer ${key}` };
  return {
    async get(url) {
      const { statusCode, body } = await request(url, { dispatcher, headers });
      if (statusCode !== 200) throw new Error(`GET ${url} returned ${statusCode}: ${await body.text()}`);
      await body.dump({ limit: Number.MAX_SAFE_INTEGER });
    },
    close: () => dispatcher.destroy(),
  };
}

/** Repeats work for some seconds with limited concurrency. Returns the rate per second. */
export async function perSecond(
  seconds: number,
  atOnce: number,
  work: (index: number) => Promise<void>,
): Promise<number> {
  const begun = performance.now();
  const until = begun + seconds * 1000;
  let done = 0;
  const lane = async (): Promise<void> => {
    while (performance.now() < until) await work(done++);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return (done * 1000) / (performance.now() - begun);
}
