import type { Readable } from 'node:stream';

import { multipartOf, Unreachable, type MultipartBody, type Transport } from '@knowledge-warehouse/client';

import { isLoopback } from './address.js';
import { readProxies } from './environment.js';
import { createDirectSender } from './send-direct.js';
import type { Received, Sender } from './sender.js';

/** Milliseconds without progress after which a response has failed. */
const answerMs = 60_000;
/** After a file has arrived, the service may still have to store it elsewhere. */
const uploadAnswerMs = 600_000;
const neverSent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_PRX_CONN',
]);

/** Connects `kw` to a service with its own connections, or through the proxy named in the environment. */
export function createTransport(url: string): {
  readonly transport: Transport;
  readonly close: () => Promise<void>;
} {
  // Services on this machine never use the proxy.
  const proxies = isLoopback(url) ? null : readProxies();
  const direct = proxies === null ? createDirectSender(url.startsWith('https:')) : null;
  let undici: Promise<Sender> | undefined;
  const withUndici = (): Promise<Sender> =>
    (undici ??= import('./send-with-undici.js').then(({ createUndiciSender }) =>
      createUndiciSender(proxies),
    ));
  return {
    async close() {
      await direct?.close();
      await (await undici)?.close();
    },
    async transport({ url: target, method, headers, body, signal }) {
      const request = { method, headers, signal, headersTimeout: answerMs, bodyTimeout: answerMs };
      try {
        return toResponse(await send(), url, signal);
      } catch (error) {
        throw explained(error, url, signal);
      }

      async function send(): Promise<Received> {
        if (typeof body === 'object' && body !== null) return sendForm(multipartOf(body));
        return (direct ?? (await withUndici())).send(target, { ...request, body });
      }

      async function sendForm(form: MultipartBody): Promise<Received> {
        const sender = await withUndici();
        return sender.send(target, {
          ...request,
          headers: { ...headers, 'content-type': form.type, 'content-length': String(form.length) },
          // undici accepts any iterable, but its types only allow streams.
          body: form.read() as unknown as Readable,
          headersTimeout: uploadAnswerMs,
        });
      }
    },
  };
}

function toResponse({ statusCode, headers, body }: Received, url: string, signal: AbortSignal): Response {
  const list = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  );
  const hasBody = statusCode !== 204 && statusCode !== 304;
  if (!hasBody) body.resume();
  return new Response(hasBody ? toStream(body, url, signal) : null, { status: statusCode, headers: list });
}

/** A body that reports failures as Unreachable. */
function toStream(body: Readable, url: string, signal: AbortSignal): ReadableStream<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const next = await chunks.next();
          // An aborted body may end like a complete one.
          signal.throwIfAborted();
          if (next.done === true) controller.close();
          else controller.enqueue(next.value);
        } catch (error) {
          controller.error(explained(error, url, signal));
        }
      },
      cancel: () => void body.destroy(),
    },
    { highWaterMark: 0 },
  );
}

/** Converts connection failures to Unreachable, and an abort to its reason; returns everything else. */
function explained(error: unknown, url: string, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (!(error instanceof Error)) return error;
  const errors = [error, ...(error instanceof AggregateError ? (error.errors as unknown[]) : [])].map(
    (one) => one as NodeJS.ErrnoException,
  );
  const code = errors.find((one) => one.code !== undefined)?.code;
  const isConnection =
    code !== undefined &&
    (/^(UND_ERR_(?!ABORTED|INVALID_ARG|REQ_)|HPE_)/.test(code) || isSystemCode(error, code));
  const wasSent = !neverSent.has(code ?? '') && errors.every(({ syscall }) => syscall !== 'connect');
  return isConnection ? new Unreachable(url, !wasSent, error) : error;
}

/** Whether it is an error of a socket, DNS or TLS. File errors have a path; that of a TLS socket may be null. */
function isSystemCode(error: Error, code: string): boolean {
  if (((error as NodeJS.ErrnoException).path ?? undefined) !== undefined) return false;
  return /^(E[A-Z]+|CERT_[A-Z_]+|DEPTH_ZERO_[A-Z_]+|SELF_SIGNED_[A-Z_]+|UNABLE_TO_[A-Z_]+|ERR_TLS_[A-Z_]+|ERR_SSL_[A-Z0-9_]+)$/.test(
    code,
  );
}
