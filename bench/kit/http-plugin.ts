import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Agent, request } from 'undici';
import type { RunningApi } from './parts.js';

/** Where the outcome of a step is reported. */
export interface Callback {
  readonly url: string;
  readonly token: string;
}

/** An HTTP worker that accepts every step with 202. */
export interface HttpPlugin {
  readonly endpoint: string;
  /** Reports to a callback. Returns the status of the response. */
  report(callback: Callback, report?: object): Promise<number>;
  /** Uploads a text before its report. Returns the id of the upload. */
  upload(callback: Callback, content: Buffer): Promise<string>;
  stop(): Promise<void>;
}

/** Starts and registers an HTTP plugin in this process; `take` is called for each step after it was answered. */
export async function startHttpPlugin(
  { client }: RunningApi,
  id: string,
  take: (callback: Callback, plugin: HttpPlugin) => void,
): Promise<HttpPlugin> {
  const dispatcher = new Agent({ connections: 64, pipelining: 1 });
  const send = async (
    method: 'POST' | 'PUT',
    url: string,
    type: string,
    { token }: Callback,
    body: Buffer | string,
  ): Promise<{ status: number; body: string }> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': type };
    const answer = await request(url, { method, dispatcher, headers, body });
    return { status: answer.statusCode, body: await answer.body.text() };
  };
  const server = createServer((message, response) => {
    void text(message).then(
      (body) => {
        response.writeHead(202).end();
        take((JSON.parse(body) as { callback: Callback }).callback, plugin);
      },
      () => undefined,
    );
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const plugin: HttpPlugin = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/steps`,
    async report(callback, report = { status: 'SUCCESS' }) {
      return (await send('POST', callback.url, 'application/json', callback, JSON.stringify(report))).status;
    },
    async upload(callback, content) {
      const url = `${callback.url}/uploads?type=bulk&content_type=text`;
      const { status, body } = await send('PUT', url, 'application/octet-stream', callback, content);
      if (status >= 300) throw new Error(`PUT returned ${status}: ${body}`);
      return (JSON.parse(body) as { upload_id: string }).upload_id;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      await dispatcher.destroy();
    },
  };
  await client.expect(201, 'POST', '/plugins', { id, name: id, kind: 'http', endpoint: plugin.endpoint });
  return plugin;
}
