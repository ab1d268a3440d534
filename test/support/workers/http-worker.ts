import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { CancelMessage, CleanUpMessage, StepMessage } from '@knowledge-warehouse/plugin/protocol';

/** A step that the worker received. */
export interface ArrivedStep {
  readonly message: StepMessage;
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly raw: string;
  readonly at: number;
}

/** A message other than a step. */
export interface Told<Message = CancelMessage | CleanUpMessage> {
  readonly message: Message;
  readonly headers: IncomingHttpHeaders;
  readonly raw: string;
}

/** The worker's response: a status, optionally with a body or headers. */
export interface WorkerReply {
  readonly status: number;
  /** A string is sent unchanged, other values as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A user's own HTTP worker, whose behaviour each test sets. */
export interface HttpWorker {
  readonly endpoint: string;
  readonly arrived: ArrivedStep[];
  /** Handles a step; `undefined` leaves the request unanswered. */
  handle: (step: ArrivedStep) => Promise<WorkerReply | undefined> | WorkerReply | undefined;
  readonly told: Told[];
  /** Answers all messages except steps, like `handle`; default: 204. */
  answer: (told: Told) => WorkerReply | undefined;
  /** Returns the received cancellations or clean-ups of a resource. */
  cancellations(resourceId: string): Told<CancelMessage>[];
  cleanUps(resourceId: string): Told<CleanUpMessage>[];
  /** Uploads the content of an artifact before its report. */
  upload(
    step: ArrivedStep,
    artifact: { readonly type: string; readonly content_type: string },
    content: NonNullable<RequestInit['body']>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<{ status: number; body: Record<string, any> }>;
  /** Sends a report to the callback of a step. */
  report(step: ArrivedStep, report: unknown): Promise<{ status: number; body: Record<string, any> }>;
  stop(): Promise<void>;
}

export async function startHttpWorker(): Promise<HttpWorker> {
  const server = createServer((request, response) => {
    void (async () => {
      // A client killed during its request needs no response.
      const raw = await text(request).catch(() => null);
      if (raw === null) return;
      const { url: path, headers } = request;
      const arrived = { message: JSON.parse(raw) as never, path, headers, raw, at: Date.now() };
      const isStep = (arrived.message as { protocol: string }).protocol === 'kw.step/1';
      (isStep ? worker.arrived : worker.told).push(arrived);
      const reply = isStep ? await worker.handle(arrived) : worker.answer(arrived);
      if (reply === undefined) return;
      response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
      const { body = '' } = reply;
      response.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
    })();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const worker: HttpWorker = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/steps`,
    arrived: [],
    told: [],
    answer: () => ({ status: 204 }),
    cancellations: (id) => toldOf(worker, 'kw.cancel/1', id) as Told<CancelMessage>[],
    cleanUps: (id) => toldOf(worker, 'kw.cleanup/1', id) as Told<CleanUpMessage>[],
    async upload({ message: { callback } }, artifact, content, headers = {}) {
      const response = await fetch(`${callback.url}/uploads?${new URLSearchParams(artifact).toString()}`, {
        method: 'PUT',
        headers: {
          authorization: `Bearer ${callback.token}`,
          'content-type': 'application/octet-stream',
          ...headers,
        },
        body: content,
        duplex: 'half',
      });
      return { status: response.status, body: (await response.json()) as Record<string, any> };
    },
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
      return { status: response.status, body: (await response.json()) as Record<string, any> };
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return worker;
}

function toldOf(worker: HttpWorker, protocol: string, resourceId: string): Told[] {
  return worker.told.filter(
    ({ message }) => message.protocol === protocol && message.resource.id === resourceId,
  );
}
