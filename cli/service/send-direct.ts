import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Sender } from './sender.js';

/** Milliseconds that a connection may take to open. */
const connectMs = 10_000;
/** Milliseconds for which a connection is kept between two requests, less than servers keep it. */
const keepMs = 3_000;
/** Milliseconds of silence before TCP probes a connection. The agent's default, a second, ends it in a short outage. */
const probeAfterMs = 60_000;

/**
 * Sends short requests without a proxy. Node.js's own client is ready at once, while undici first compiles its parser,
 * which takes half of the time of a short command. Node.js's client drops a response that comes before the whole body
 * was sent, so it does not send files.
 */
export function createDirectSender(isTls: boolean): Sender<string | null> {
  const options = { keepAlive: true, keepAliveMsecs: probeAfterMs, timeout: keepMs };
  const agent = isTls ? new HttpsAgent(options) : new HttpAgent(options);
  const request = isTls ? httpsRequest : httpRequest;
  return {
    close: () => agent.destroy(),
    async send(url, { method, headers, body, signal, headersTimeout, bodyTimeout }) {
      // By then the agent knows which of its connections the server has closed.
      await nextTurn();
      signal.throwIfAborted();
      const length = body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) };
      const sent = request(url, {
        ...{ method, agent, signal, timeout: headersTimeout },
        headers: { ...headers, ...length },
      });
      const end = (): void => void sent.end(body ?? undefined);
      sent.once('socket', (socket: Socket) => {
        if (!socket.connecting) {
          end();
          return;
        }
        const timer = setTimeout(() => sent.destroy(failure('ETIMEDOUT', 'connect')), connectMs);
        socket.once('close', () => clearTimeout(timer));
        // Node.js removes its own listener before an abort fails the socket of a response that just ended.
        socket.on('error', () => undefined);
        // The request waits for the handshake: its failure would be reported as that of a write.
        socket.once(isTls ? 'secureConnect' : 'connect', () => {
          clearTimeout(timer);
          end();
        });
      });
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        sent.once('timeout', () => sent.destroy(failure('ETIMEDOUT', 'read')));
        sent.once('response', resolve);
        // After the response, its body fails.
        sent.on('error', reject);
        // Without an error, for example after a change of protocols.
        sent.once('close', () => reject(failure('ECONNRESET', 'read')));
      });
      sent.removeAllListeners('timeout');
      // The reader may begin later, and gets the error then.
      response.on('error', () => undefined);
      endWhenSilent(response, bodyTimeout);
      return { statusCode: response.statusCode ?? 0, headers: response.headers, body: response };
    },
  };
}

/** Fails a response that stops arriving, but not one whose reader pauses. */
function endWhenSilent(response: IncomingMessage, ms: number): void {
  const { socket } = response;
  const onSilence = (): void => {
    if (response.readableLength > 0) socket.setTimeout(ms);
    else response.destroy(failure('ETIMEDOUT', 'read'));
  };
  socket.setTimeout(ms).on('timeout', onSilence);
  response.once('close', () => socket.off('timeout', onSilence));
}

const failure = (code: string, syscall: 'connect' | 'read'): Error =>
  Object.assign(new Error(`${syscall} ${code}`), { code, syscall });
