import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';

import type { Sender } from './sender.js';

/** Milliseconds that a connection may take to open. */
const connectMs = 10_000;
/** Milliseconds for which a connection is kept between two requests, less than servers keep it. */
const keepMs = 3_000;

/**
 * Sends short requests through no proxy. Node.js's own client is ready at once, while undici first compiles its parser,
 * which takes half of the time of a short command. It drops a response that comes before the whole body was sent,
 * which is why files are not sent with it.
 */
export function createDirectSender(isTls: boolean): Sender<string | null> {
  const agent = new (isTls ? HttpsAgent : HttpAgent)({ keepAlive: true, timeout: keepMs });
  const request = isTls ? httpsRequest : httpRequest;
  return {
    close: () => agent.destroy(),
    send: (url, { method, headers, body, signal, headersTimeout, bodyTimeout }) =>
      new Promise((resolve, reject) => {
        const sent = request(url, { method, headers, agent, timeout: headersTimeout, signal });
        const end = (): void => void sent.end(body ?? undefined);
        let answer: IncomingMessage | undefined;
        sent.once('socket', (socket: Socket) => {
          if (!socket.connecting) {
            end();
            return;
          }
          const timer = setTimeout(() => sent.destroy(timedOut('connect')), connectMs);
          socket.once('close', () => clearTimeout(timer));
          // Only then: a failed handshake would be reported as that of a write.
          socket.once(isTls ? 'secureConnect' : 'connect', () => {
            clearTimeout(timer);
            end();
          });
        });
        sent.on('timeout', () => (answer ?? sent).destroy(timedOut('read')));
        sent.once('response', (response: IncomingMessage) => {
          answer = response;
          response.setTimeout(bodyTimeout);
          resolve({ statusCode: response.statusCode ?? 0, headers: response.headers, body: response });
        });
        // After the response, its body fails.
        sent.on('error', reject);
      }),
  };
}

const timedOut = (syscall: 'connect' | 'read'): Error =>
  Object.assign(new Error(`${syscall} ETIMEDOUT`), { code: 'ETIMEDOUT', syscall });
