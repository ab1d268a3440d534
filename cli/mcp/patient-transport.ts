import { setTimeout as sleep } from 'node:timers/promises';

import { pauseMs, Unreachable, type Transport } from '@knowledge-warehouse/client';

const tries = 6;

/**
 * A transport that waits for a starting service: refused connections are retried for about eight seconds.
 * Nothing is sent twice.
 */
export function patient(transport: Transport): Transport {
  return async (request) => {
    for (let failures = 1; ; failures += 1) {
      try {
        return await transport(request);
      } catch (error) {
        if (!(error instanceof Unreachable && error.unsent) || failures === tries) throw error;
        await sleep(pauseMs(failures), undefined, { signal: request.signal });
      }
    }
  };
}
