import type { Transport } from '@knowledge-warehouse/client';
import { parseJson } from '@knowledge-warehouse/plugin/protocol';
import { createParser } from 'eventsource-parser';

import type { Service } from '../service/find-service.js';
import { refused, type Message } from './messages.js';

/** Sends a message to the service and yields its answers. Throws the errors of the transport. */
export type Exchange = (message: Message, signal: AbortSignal) => AsyncGenerator<Message>;

const versionKey = 'io.modelcontextprotocol/protocolVersion';

/** Exchanges messages over streamable HTTP, with one request per message. */
export function createExchange({ url, apiKey }: Service, transport: Transport): Exchange {
  /** The revision agreed on in `initialize`. In later revisions, each message names its own. */
  let agreed: string | null = null;

  return async function* exchange(message, signal) {
    const response = await transport({
      method: 'POST',
      url: `${url}/mcp`,
      headers: {
        authorization: `Bearer ${apiKey}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        ...headersOf(message, agreed),
      },
      body: JSON.stringify(message),
      signal,
    });
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
    if (isStream && response.body !== null) yield* readEvents(response.body);
    else {
      const answer = toMessage(await response.text(), response.status);
      if (message.method === 'initialize') agreed = versionIn(answer) ?? agreed;
      if (answer !== null) yield answer;
    }
  };
}

/** Headers that the protocol requires in addition to the body, for intermediaries. */
function headersOf({ method, params }: Message, agreed: string | null): Record<string, string> {
  const meta = params?.['_meta'] as Readonly<Record<string, unknown>> | undefined;
  const version = meta?.[versionKey];
  if (typeof version !== 'string')
    return agreed === null || method === 'initialize' ? {} : { 'mcp-protocol-version': agreed };
  const name = params?.['name'] ?? params?.['uri'];
  return {
    'mcp-protocol-version': version,
    ...(method !== undefined && { 'mcp-method': method }),
    ...(typeof name === 'string' && { 'mcp-name': asFieldValue(name) }),
  };
}

/** Encodes a text as a header value: anything but plain ASCII is encoded as the protocol requires. */
function asFieldValue(text: string): string {
  const isPlain = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith('=?base64?');
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}

/** Returns the message in an answer, or null if it has none. Anything else becomes a protocol error. */
function toMessage(text: string, status: number): Message | null {
  if (text === '' && status < 300) return null;
  const answer = parseJson(text) as Message | null | undefined;
  if (answer?.jsonrpc === '2.0') return answer;
  // Something between us and the service answered.
  const message = `Unexpected response ${status}; it does not come from this service.`;
  return { jsonrpc: '2.0', id: null, error: { code: refused, message } };
}

function versionIn(answer: Message | null): string | null {
  const { protocolVersion } = (answer?.result ?? {}) as { readonly protocolVersion?: unknown };
  return typeof protocolVersion === 'string' ? protocolVersion : null;
}

/** Reads messages from a stream of Server-Sent Events. */
async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<Message> {
  const arrived: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => arrived.push(data) });
  const decoder = new TextDecoder();
  for await (const bytes of body) {
    parser.feed(decoder.decode(bytes, { stream: true }));
    for (const data of arrived.splice(0)) if (data !== '') yield JSON.parse(data) as Message;
  }
}
