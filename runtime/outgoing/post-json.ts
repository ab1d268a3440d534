import { buffer } from 'node:stream/consumers';
import { startDeadline } from './deadline.js';
import { exchange, type AnswerHeaders, type OutgoingHeaders } from './exchange.js';
import { checkUrl, type OutgoingPolicy } from './policy.js';

export interface PostJsonOptions {
  readonly policy: OutgoingPolicy;
  readonly headers?: OutgoingHeaders | undefined;
  /** Time limit in milliseconds, until the last byte that is read. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Maximum size of the decoded body of a 200 response in bytes. Without it, no body is read. */
  readonly maxResponseBytes?: number | undefined;
}

/** A response with any status. */
export interface PostResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: AnswerHeaders;
  /** Empty unless the status is 200: other bodies are ignored, however long or broken they are. */
  readonly body: Buffer;
}

/**
 * Posts JSON text once, to any port; redirects are returned, not followed. Throws ServiceError URL_NOT_ALLOWED or
 * VALIDATION_FAILED for a URL that may not be called, OutgoingError for any other failure, and the reason of the
 * signal.
 */
export async function postJson(
  text: string,
  body: string | Buffer,
  options: PostJsonOptions,
): Promise<PostResponse> {
  const { policy, timeoutMs, maxResponseBytes } = options;
  const url = checkUrl(text, policy);
  const headers = { 'content-type': 'application/json', ...options.headers };
  const deadline = startDeadline(timeoutMs, url.host, options.signal);
  try {
    const answer = await exchange(url, { method: 'POST', headers, body, policy, deadline, silenceMs: 0 });
    const { status, headers: answered } = answer;
    if (status !== 200 || maxResponseBytes === undefined) {
      answer.ignore();
      return { status, headers: answered, body: Buffer.alloc(0) };
    }
    try {
      return { status, headers: answered, body: await buffer(answer.body(maxResponseBytes)) };
    } finally {
      answer.discard();
    }
  } finally {
    deadline.clear();
  }
}
