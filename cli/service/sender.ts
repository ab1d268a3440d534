import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';

/** A request, and the milliseconds without progress after which it has failed. */
export interface SentRequest<Body> {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
  readonly signal: AbortSignal;
  /** Until the response begins. */
  readonly headersTimeout: number;
  /** While the response arrives. */
  readonly bodyTimeout: number;
}

export interface Received {
  readonly statusCode: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readable;
}

/** Sends requests to one service. Rejects with the connection's error, or with that of the request's body. */
export interface Sender<Body = string | Readable | null> {
  send(url: string, request: SentRequest<Body>): Promise<Received>;
  /** Ends all connections. */
  close(): void | Promise<void>;
}
