import type { Readable } from 'node:stream';
import { parseUrl } from '@knowledge-warehouse/plugin/protocol';
import { tooLarge } from './body.js';
import { startDeadline } from './deadline.js';
import { OutgoingError } from './errors.js';
import { exchange, headerOf, type Answer, type OutgoingHeaders } from './exchange.js';
import { fileNameOf } from './file-name.js';
import { checkUrl, type OutgoingPolicy } from './policy.js';

const maxRedirects = 5;
const redirectStatuses = [301, 302, 303, 307, 308];
/** No Content, Reset Content, Partial Content. */
const withoutDocument = [204, 205, 206];
const longestSilenceMs = 30_000;

/** Headers that must not be forwarded to the server of a redirect. */
const confidential = ['authorization', 'cookie'];

export interface OpenUrlOptions {
  readonly policy: OutgoingPolicy;
  /** Maximum size of the decoded content in bytes. */
  readonly maxBytes: number;
  /**
   * Time limit of the whole request in milliseconds, from resolving the host to the last byte. Waiting for the turn of
   * a DNS lookup does not count.
   */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly headers?: OutgoingHeaders | undefined;
}

export interface OpenedUrl {
  /** Fails with OutgoingError or the reason of the signal. A reader that stops early must destroy it. */
  readonly stream: Readable;
  /** The Content-Type header, unmodified. */
  readonly mediaType: string | undefined;
  readonly finalUrl: string;
  /** From Content-Disposition, else the last segment of the path. */
  readonly fileName: string | undefined;
}

function withoutConfidential(headers: OutgoingHeaders): OutgoingHeaders {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !confidential.includes(name.toLowerCase())),
  );
}

function redirectTarget(answer: Answer, url: URL): string | null {
  const location = headerOf(answer.headers, 'location');
  if (!redirectStatuses.includes(answer.status) || location === undefined) return null;
  const target = parseUrl(location, url);
  if (target === null) {
    throw new OutgoingError('BAD_RESPONSE', `${url.host} redirects to an invalid URL.`);
  }
  return target.href;
}

function assertUsable(answer: Answer, url: URL, maxBytes: number): void {
  const { status } = answer;
  if (status < 200 || status > 299 || withoutDocument.includes(status)) {
    throw new OutgoingError('HTTP_STATUS', `${url.host} responded with the status ${status}.`, { status });
  }
  if (Number(headerOf(answer.headers, 'content-length')) > maxBytes) throw tooLarge(url, maxBytes);
}

/**
 * Opens a document by GET, following up to five redirects, each checked like the first URL. Throws ServiceError
 * URL_NOT_ALLOWED or VALIDATION_FAILED for a URL that may not be called, OutgoingError for any other failure, and the
 * reason of the signal.
 */
export async function openUrl(text: string, options: OpenUrlOptions): Promise<OpenedUrl> {
  const { policy, maxBytes, timeoutMs } = options;
  let url = checkUrl(text, policy);
  let headers = options.headers ?? {};
  const silenceMs = Math.min(longestSilenceMs, timeoutMs);
  const deadline = startDeadline(timeoutMs, url.host, options.signal);
  try {
    for (let redirects = 0; ; redirects++) {
      const answer = await exchange(url, { method: 'GET', headers, policy, deadline, silenceMs });
      try {
        const target = redirectTarget(answer, url);
        if (target === null) {
          assertUsable(answer, url, maxBytes);
          const stream = answer.body(maxBytes).once('close', () => deadline.clear());
          const mediaType = headerOf(answer.headers, 'content-type');
          return { stream, mediaType, finalUrl: url.href, fileName: fileNameOf(answer.headers, url) };
        }
        if (redirects === maxRedirects) {
          throw new OutgoingError(
            'TOO_MANY_REDIRECTS',
            `More than ${maxRedirects} redirects; the last is from ${url.host}.`,
          );
        }
        const next = checkUrl(target, policy);
        if (next.origin !== url.origin) headers = withoutConfidential(headers);
        url = next;
      } catch (error) {
        answer.discard();
        throw error;
      }
      answer.discard();
    }
  } catch (error) {
    deadline.clear();
    throw error;
  }
}
