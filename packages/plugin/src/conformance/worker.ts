import { request } from 'undici';
import { newSigningSecret, signMessage } from '../signing.js';

export interface WorkerAnswer {
  readonly status: number;
  readonly body: Buffer;
}

/** How to sign a message; as Core does by default. */
export interface Signing {
  readonly secrets?: readonly string[];
  /** The timestamp in the headers, in milliseconds since 1970. */
  readonly at?: number;
  /** The signed text, if it differs from the sent one. */
  readonly of?: string;
}

/** Posts messages to the worker under test. */
export interface CheckedWorker {
  readonly secret: string;
  /** Posts a message. Rejects with WorkerAway if there is no answer. */
  post(message: unknown, signing?: Signing | 'unsigned'): Promise<WorkerAnswer>;
}

export class WorkerAway extends Error {
  override readonly name = 'WorkerAway';

  constructor(
    message: string,
    /** Whether the connection was refused. */
    readonly isUnreachable: boolean,
    options: { cause: unknown },
  ) {
    super(message, options);
  }
}

const notThere = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'UND_ERR_CONNECT_TIMEOUT'];
const cutOff = ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'];

export function connectWorker(endpoint: string, secret: string, timeoutMs: number): CheckedWorker {
  return {
    secret,
    async post(message, signing = {}) {
      const body = typeof message === 'string' ? message : JSON.stringify(message);
      const headers =
        signing === 'unsigned'
          ? {}
          : signMessage(signing.secrets ?? [secret], signing.of ?? body, undefined, signing.at);
      try {
        const response = await request(endpoint, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body,
          // A worker may close a connection that is kept alive just when it is used again.
          reset: true,
          signal: AbortSignal.timeout(timeoutMs),
        });
        return { status: response.statusCode, body: Buffer.from(await response.body.arrayBuffer()) };
      } catch (error) {
        const { name, code, message: text } = error as NodeJS.ErrnoException;
        const reason =
          name === 'TimeoutError'
            ? `no answer within ${timeoutMs / 1000} s`
            : cutOff.includes(code ?? '')
              ? `the connection was closed without an answer (${code ?? ''})`
              : (code ?? text);
        throw new WorkerAway(reason, notThere.includes(code ?? ''), { cause: error });
      }
    },
  };
}

/** A secret that the worker does not have. */
export const otherSecret = newSigningSecret();
