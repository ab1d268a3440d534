import ipaddr from 'ipaddr.js';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { ServiceError } from '../../core/errors.js';

const windowSeconds = 60;
/**
 * Requests without a valid key, per client and minute, that get the reason in the response. Further ones get
 * RATE_LIMITED.
 */
const mostFailures = 600;

/** A caller's state in the current minute, as reported in the headers. */
export interface Quota {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the minute ends. */
  readonly reset: number;
}

/** In-memory request counters. With several processes, each grants a key its full limit. */
export interface RateLimits {
  /**
   * Counts a request of a key. `own` is its limit; null means the service's. Returns null if it is unlimited.
   * Never rejects.
   */
  count(keyId: string, own: number | null): Promise<Quota | null>;
  /** Counts a request without a valid key. Throws RATE_LIMITED if this client sent too many. */
  countFailure(address: string): Promise<void>;
}

/** @param limit Requests per minute and key. 0 turns off all limits except those set on a key itself. */
export function createRateLimits(limit: number): RateLimits {
  const requests = new RateLimiterMemory({ points: limit, duration: windowSeconds });
  const failures = new RateLimiterMemory({ points: mostFailures, duration: windowSeconds });

  return {
    async count(keyId, own) {
      const most = own ?? limit;
      if (most === 0) return null;
      const { consumedPoints, msBeforeNext } = await requests.penalty(keyId);
      return { limit: most, remaining: most - consumedPoints, reset: Math.ceil(msBeforeNext / 1000) };
    },
    async countFailure(address) {
      if (limit === 0) return;
      const { consumedPoints, msBeforeNext } = await failures.penalty(network(address));
      if (consumedPoints <= mostFailures) return;
      const message = 'This address sent too many requests without a valid API key.';
      throw rateLimited(message, mostFailures, Math.ceil(msBeforeNext / 1000));
    },
  };
}

/**
 * Returns the error for a caller that sent too many requests.
 *
 * @param limit Requests per minute.
 * @param wait Seconds.
 */
export function rateLimited(message: string, limit: number, wait: number): ServiceError {
  const details = { limit, window_seconds: windowSeconds, retry_after_seconds: Math.max(wait, 1) };
  return new ServiceError('RATE_LIMITED', message, details);
}

/** Returns the unit that counts as one address: for IPv6 the /64, since one owner controls all of it. */
function network(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString();
}
