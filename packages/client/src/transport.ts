import { Unreachable } from './errors.js';
import { multipartOf, type UploadForm } from './multipart.js';

/** A request as it is sent. */
export interface TransportRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON as text, or a form with a file. */
  readonly body: string | UploadForm | null;
  readonly signal: AbortSignal;
}

/**
 * Sends a request and resolves with the response, whatever its status. Throws Unreachable if no response arrives, and
 * the signal's reason if it aborts.
 */
export type Transport = (request: TransportRequest) => Promise<Response>;

/** Node.js's error codes for a connection that was not accepted. Browsers do not report the reason. */
const neverSent = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH']);

/** Uses `fetch`. In browsers, sends files with XMLHttpRequest, which alone reports upload progress. */
export const defaultTransport: Transport = async (request) => {
  const { body, signal } = request;
  try {
    if (typeof body === 'object' && body?.file instanceof Blob && typeof XMLHttpRequest !== 'undefined')
      return await sendForm(request, body, body.file);
    return await fetch(request.url, {
      method: request.method,
      signal,
      ...(typeof body === 'object' && body !== null
        ? streamed(request.headers, body)
        : { headers: request.headers, body }),
    });
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof TypeError)) throw error;
    const cause = error.cause ?? error;
    const { code = '' } = cause as { readonly code?: string };
    throw new Unreachable(originOf(request.url), neverSent.has(code), cause);
  }
};

/** URLs of the page's own service have no origin. */
const originOf = (url: string): string => (url.startsWith('/') ? 'The service' : new URL(url).origin);

/** Sends a file while it is read. */
function streamed(headers: TransportRequest['headers'], form: UploadForm): RequestInit {
  const multipart = multipartOf(form);
  const chunks = multipart.read();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await chunks.return(undefined);
    },
  });
  // Streams require `duplex`, which is missing in the types for browsers.
  return { headers: { ...headers, 'content-type': multipart.type }, body, duplex: 'half' } as RequestInit;
}

async function sendForm(request: TransportRequest, form: UploadForm, file: Blob): Promise<Response> {
  const xhr = new XMLHttpRequest();
  await new Promise<void>((resolve, reject) => {
    const data = new FormData();
    for (const [name, value] of Object.entries(form.fields)) data.set(name, value);
    data.set('file', file, form.fileName);
    xhr.open(request.method, request.url);
    for (const [name, value] of Object.entries(request.headers)) xhr.setRequestHeader(name, value);
    xhr.upload.addEventListener('progress', ({ loaded }) => form.onSent?.(Math.min(loaded, file.size)));
    // The event is the same for a lost connection and for a file that was changed or removed.
    xhr.addEventListener('error', () => {
      file
        .slice(0, 1)
        .arrayBuffer()
        .then(() => reject(new TypeError('the connection was lost')), reject);
    });
    xhr.addEventListener('abort', () => reject(request.signal.reason as Error));
    xhr.addEventListener('load', () => resolve());
    request.signal.addEventListener('abort', () => xhr.abort(), { once: true });
    request.signal.throwIfAborted();
    xhr.send(data);
  });
  const retryAfter = xhr.getResponseHeader('retry-after');
  const headers = retryAfter === null ? undefined : { 'retry-after': retryAfter };
  return new Response(xhr.responseText || null, { status: xhr.status, ...(headers && { headers }) });
}
