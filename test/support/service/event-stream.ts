import { request, type ClientRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';

/** A received event with parsed data. */
export interface ReceivedEvent {
  readonly id: string;
  readonly type: string;
  readonly data: any;
}

/** An open stream of Server-Sent Events. */
export interface EventStream {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Returns the text received so far. */
  readonly text: () => string;
  readonly events: readonly ReceivedEvent[];
  /** Returns the id with which a browser would reconnect. */
  readonly lastId: () => string | null;
  /** Null while it is open; afterwards whether it ended normally or broke off. */
  readonly ended: () => 'cleanly' | 'broken' | null;
  /** Destroys its socket. */
  cut(): void;
}

/** Opens a stream and parses it like a browser (WHATWG HTML, 9.2.6). */
export async function openEventStream(
  url: string,
  options: {
    /** An API key; without one, the cookie of a session is used. */
    readonly bearer?: string;
    readonly cookie?: string;
    readonly lastId?: string | null;
  },
): Promise<EventStream> {
  const { bearer, cookie, lastId = null } = options;
  const headers = {
    ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
    ...(cookie !== undefined && { cookie }),
    accept: 'text/event-stream',
    ...(lastId === null ? {} : { 'last-event-id': lastId }),
  };
  const asked = request(url, { headers, agent: false });
  const response = await answerTo(asked);
  const events: ReceivedEvent[] = [];
  let text = '';
  let unread = '';
  let last = lastId;
  let ended: 'cleanly' | 'broken' | null = null;
  response.setEncoding('utf8').on('data', (part: string) => {
    text += part;
    const frames = (unread + part).split('\n\n');
    unread = frames.pop() ?? '';
    for (const frame of frames) {
      const fields = new Map(
        frame.split('\n').map((line) => {
          const colon = line.indexOf(':');
          return [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')];
        }),
      );
      last = fields.get('id') ?? last;
      const data = fields.get('data');
      if (data !== undefined)
        events.push({ id: last ?? '', type: fields.get('event') ?? 'message', data: JSON.parse(data) });
    }
  });
  response.on('error', () => undefined);
  response.on('close', () => (ended = response.complete ? 'cleanly' : 'broken'));
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text: () => text,
    events,
    lastId: () => last,
    ended: () => ended,
    cut: () => asked.destroy(),
  };
}

function answerTo(asked: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    asked.once('response', resolve).on('error', reject).end();
  });
}
