import { Readable } from 'node:stream';
import { messageOf } from '../../protocol/text.js';
import type { CoreAnswer } from './core-client.js';
import { CoreError, whileCoreIsAway } from './core-error.js';

/** What is known about a content before it is read. */
export interface ExpectedContent {
  readonly url: string;
  readonly mediaType: string | null;
  /** In bytes; null if it is unknown. */
  readonly size: number | null;
}

/** How many times in a row a connection may break before any byte arrives. */
const mostBreaks = 5;

/**
 * Returns a stream that resumes broken connections: `open` requests the bytes from a position. Throws CoreError if
 * nothing can be opened, if the connection breaks too often, or if another number of bytes arrives than expected.
 */
export async function resumed(
  expected: ExpectedContent,
  open: (position: number) => Promise<CoreAnswer>,
  signal: AbortSignal,
  onAway: (error: CoreError) => void,
): Promise<Readable> {
  let position = 0;
  const openOnce = async (): Promise<CoreAnswer> => {
    const answer = await open(position);
    const fault = faultOf(answer, expected);
    if (fault === null) return answer;
    answer.body.destroy();
    throw CoreError.ofStranger(expected.url, answer.status, fault);
  };
  const openAgain = (): Promise<CoreAnswer> => whileCoreIsAway(openOnce, signal, onAway);
  const first = await openAgain();

  async function* bytes(): AsyncGenerator<Buffer> {
    let answer = first;
    for (let breaks = 0; ; breaks++) {
      try {
        for await (const chunk of answer.body) {
          position += (chunk as Buffer).length;
          breaks = 0;
          yield chunk as Buffer;
        }
        break;
      } catch (error) {
        signal.throwIfAborted();
        const broken = CoreError.ofBrokenRead(messageOf(error));
        if (breaks >= mostBreaks) throw broken;
        onAway(broken);
      }
      answer = await openAgain();
      if (position > 0 && answer.status !== 206) throw CoreError.ofBrokenRead('the rest cannot be read');
    }
    if (expected.size !== null && position !== expected.size)
      throw CoreError.ofBrokenRead(`${position} instead of ${expected.size} bytes arrived`);
  }
  const stream = Readable.from(bytes(), { objectMode: false });
  // If a plugin stops reading, a later error of the stream must not end the process.
  stream.on('error', () => undefined);
  return stream;
}

/**
 * Returns why an answer is not Core's, or null. A page that a proxy shows while Core is restarted may have the status
 * 200, and must not be processed in place of the content.
 */
function faultOf({ status, headers }: CoreAnswer, { mediaType, size }: ExpectedContent): string | null {
  const type = String(headers['content-type'] ?? '');
  if (isHtml(type) && !isHtml(mediaType ?? '')) return `answers ${status} with a web page`;
  const length = headers['content-length'];
  if (status !== 200 || size === null || length === undefined || Number(length) === size) return null;
  return `answers with ${String(length)} instead of ${size} bytes`;
}

function isHtml(mediaType: string): boolean {
  return /^text\/html\b/i.test(mediaType);
}
