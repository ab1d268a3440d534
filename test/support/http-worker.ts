import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { StepMessage } from '../../core/wire/step.js';

/** A step that arrived at the worker. */
export interface ArrivedStep {
  readonly message: StepMessage;
  readonly headers: IncomingHttpHeaders;
  readonly raw: string;
  readonly at: number;
}

/** What the worker answers: a status, perhaps with a body or headers. */
export interface WorkerReply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A user's own HTTP worker, told by each test what to do. */
export interface HttpWorker {
  readonly endpoint: string;
  readonly arrived: ArrivedStep[];
  /** What is done with a step; `undefined` leaves the request without an answer. */
  handle: (step: ArrivedStep) => Promise<WorkerReply | undefined> | WorkerReply | undefined;
  /** Reports to the callback of a step. */
  report(step: ArrivedStep, report: unknown): Promise<{ status: number; body: Record<string, unknown> }>;
  stop(): Promise<void>;
}

export async function startHttpWorker(): Promise<HttpWorker> {
  const server = createServer((request, response) => {
    void (async () => {
      const raw = await text(request);
      const step = { message: JSON.parse(raw) as StepMessage, headers: request.headers, raw, at: Date.now() };
      worker.arrived.push(step);
      const reply = await worker.handle(step);
      if (reply === undefined) return;
      response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
      response.end(reply.body === undefined ? '' : JSON.stringify(reply.body));
    })();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const worker: HttpWorker = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/steps`,
    arrived: [],
    handle: () => ({ status: 200, body: { status: 'SUCCESS' } }),
    async report(step, report) {
      const response = await fetch(step.message.callback.url, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${step.message.callback.token}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify(report),
      });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return worker;
}
