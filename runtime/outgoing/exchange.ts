import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { Client } from 'undici';
import { ServiceError } from '../../core/errors.js';
import { boundedBody } from './body.js';
import type { Deadline } from './deadline.js';
import { failedToAnswer, maxHeaderKib } from './errors.js';
import { checkedLookup, resolveHost, type OutgoingPolicy } from './policy.js';

const connectTimeoutMs = 10_000;
/** How much of an ignored body is read, and for how long, before its connection is closed. */
const [ignoredBytes, ignoredMs] = [64 * 1024, 1_000];

export type OutgoingHeaders = Readonly<Record<string, string>>;
export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** A single request to a URL that `checkUrl` has accepted. */
export interface Exchange {
  readonly method: 'GET' | 'POST';
  readonly headers: OutgoingHeaders;
  readonly body?: string | Buffer | undefined;
  readonly policy: OutgoingPolicy;
  readonly deadline: Deadline;
  /** Maximum milliseconds without data, before the headers and between parts of the body; 0: only the deadline applies. */
  readonly silenceMs: number;
}

export interface Answer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  /** The body, decoded and limited in size; call it once. The connection closes with it. */
  body(maxBytes: number): Readable;
  /** Closes the connection if the body is not read. */
  discard(): void;
  /**
   * Closes the connection after a short body, or in the middle of a longer one, without making the caller wait. A
   * server that is still sending a short body does not see a broken connection.
   */
  ignore(): void;
}

/** The value of a header, or the first one of several. Values in UTF-8, which undici reads as Latin-1, are decoded. */
export function headerOf(headers: AnswerHeaders, name: string): string | undefined {
  const value = [headers[name]].flat()[0];
  const bytes = Buffer.from(value ?? '', 'latin1');
  return value !== undefined && isUtf8(bytes) ? bytes.toString() : value;
}

/**
 * Sends one request over its own connection, which closes after the response, and resolves with the head of the
 * response. Does not follow redirects or use a proxy. Throws ServiceError URL_NOT_ALLOWED, OutgoingError, or the reason
 * of the deadline's signal.
 */
export async function exchange(url: URL, request: Exchange): Promise<Answer> {
  const { deadline, policy, silenceMs } = request;
  deadline.signal.throwIfAborted();
  // Resolved ahead: a lookup may have to wait for its turn, for longer than a connection may take.
  const addresses = resolveHost(url, policy, deadline);
  const client = new Client(url.origin, {
    connect: {
      lookup: checkedLookup(url, { ...policy, resolve: () => addresses }),
      timeout: connectTimeoutMs,
    },
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: 1_000,
    maxHeaderSize: maxHeaderKib * 1024,
    headersTimeout: silenceMs,
    bodyTimeout: silenceMs,
  });
  const discard = (): void => {
    deadline.signal.removeEventListener('abort', abort);
    void client.destroy().catch(() => undefined);
  };
  let giveUp: (reason: unknown) => void = () => undefined;
  const aborted = new Promise<never>((_resolve, reject) => (giveUp = reject));
  // The request's own signal only works once the connection is established.
  const abort = (): void => {
    giveUp(deadline.signal.reason);
    void client.destroy(deadline.signal.reason as Error).catch(() => undefined);
  };
  deadline.signal.addEventListener('abort', abort, { once: true });
  try {
    await Promise.race([addresses, aborted]);
    const answer = await client.request({
      method: request.method,
      path: `${url.pathname}${url.search}`,
      headers: { 'accept-encoding': 'identity', 'user-agent': 'knowledge-warehouse', ...request.headers },
      body: request.body ?? null,
      signal: deadline.signal,
    });
    answer.body.on('error', () => undefined);
    return {
      status: answer.statusCode,
      headers: answer.headers,
      discard,
      ignore() {
        const signal = AbortSignal.timeout(ignoredMs);
        void answer.body
          .dump({ limit: ignoredBytes, signal })
          .catch(() => undefined)
          .finally(discard);
      },
      body(maxBytes) {
        const encoding = headerOf(answer.headers, 'content-encoding') ?? '';
        return boundedBody(answer.body, {
          url,
          encoding,
          maxBytes,
          signal: deadline.signal,
          onClose: discard,
        });
      },
    };
  } catch (error) {
    discard();
    if (deadline.signal.aborted) throw deadline.signal.reason;
    throw error instanceof ServiceError ? error : failedToAnswer(url, error);
  }
}
