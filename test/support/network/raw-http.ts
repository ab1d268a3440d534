import { connect } from 'node:net';

/** A raw HTTP response. */
export interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/**
 * Sends raw bytes to a server and reads until it closes the connection. Returns all responses; does not support chunked
 * bodies.
 *
 * @throws if the connection stays open without data for `timeoutMs` milliseconds
 */
export function exchange(base: string, bytes: string | Buffer, timeoutMs = 15_000): Promise<RawAnswer[]> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    const parts: Buffer[] = [];
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error(`no answer within ${timeoutMs} ms`)));
    socket.on('data', (part) => parts.push(part));
    // A server may close before it has read everything; the response before that counts.
    socket.on('error', (error) => (parts.length === 0 ? reject(error) : undefined));
    socket.on('close', () => resolve(answersIn(Buffer.concat(parts).toString())));
    socket.write(bytes);
  });
}

function answersIn(text: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let rest = text; rest !== '';) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) throw new Error(`No answer of HTTP: ${rest.slice(0, 200)}`);
    const head = rest.slice(0, end);
    const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
    const bytes = Buffer.from(rest.slice(end + 4));
    answers.push({
      status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]),
      head,
      body: bytes.subarray(0, length).toString(),
    });
    rest = bytes.subarray(length).toString();
  }
  return answers;
}
