import { Agent, fetch as undiciFetch, Pool, type RequestInit as UndiciRequestInit } from 'undici';
import { ServiceError } from '../../core/errors.js';
import { checkedLookup, checkUrl, type OutgoingPolicy } from './policy.js';

const connectTimeoutMs = 10_000;

/** The global `fetch`, without Request objects. */
export type OutgoingFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/**
 * Creates a `fetch` that enforces a policy: it checks the URL first, and the resolved addresses of its host at each new
 * connection. Connections are kept alive. Redirects are returned, whatever `init.redirect` says, and no proxy is used.
 * In addition to what `fetch` throws, it throws ServiceError URL_NOT_ALLOWED or VALIDATION_FAILED for a URL that may
 * not be called.
 */
export function createFetch(policy: OutgoingPolicy): OutgoingFetch {
  const dispatcher = new Agent({
    factory: (origin) => {
      const lookup = checkedLookup(new URL(origin), policy);
      return new Pool(origin, { connect: { lookup, timeout: connectTimeoutMs } });
    },
  });
  return async (url, init) => {
    const checked = checkUrl(String(url), policy);
    try {
      const ours: UndiciRequestInit = { redirect: 'manual', dispatcher };
      const options = Object.assign({}, init as UndiciRequestInit | undefined, ours);
      const response: unknown = await undiciFetch(checked, options);
      return response as Response;
    } catch (error) {
      const cause = error instanceof Error ? error.cause : undefined;
      throw cause instanceof ServiceError ? cause : error;
    }
  };
}
