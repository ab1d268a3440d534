import { Agent, request } from 'undici';
import { startWorkerProcess } from '../../../test/support/workers/worker-process.js';
import { untilReady } from '../parts.js';

/** A compared program that converts documents to text, in a separate process behind HTTP. */
export interface Rival {
  readonly pid: number;
  /** Returns the text of a document; null if the program rejects it. */
  read(document: { readonly mediaType: string; readonly content: Buffer }): Promise<string | null>;
  stop(): Promise<void>;
}

/**
 * Starts a server that answers `PUT` of a document with its text, and waits until it responds. Its processes end with
 * this one, however this one ends.
 */
export async function startRival(
  url: string,
  command: string,
  args: readonly string[],
  connections: number,
): Promise<Rival> {
  const server = startWorkerProcess(command, args);
  const dispatcher = new Agent({ connections, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 });
  await untilReady(server, command, () => fetch(url).then(() => true));
  return {
    pid: server.pid,
    async read({ mediaType, content }) {
      const headers = { accept: 'text/plain', 'content-type': mediaType };
      const answer = await request(url, { method: 'PUT', dispatcher, headers, body: content });
      const text = await answer.body.text();
      return answer.statusCode === 200 ? text : null;
    },
    async stop() {
      await dispatcher.destroy();
      await server.kill9();
    },
  };
}
