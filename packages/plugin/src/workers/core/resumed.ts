import { Readable } from 'node:stream';
import { messageOf } from '../../protocol/text.js';
import type { CoreAnswer } from './core-client.js';
import { CoreError, whileCoreIsAway } from './core-error.js';

/** How many times in a row a connection may break before any byte arrives. */
const mostBreaks = 5;

/**
 * Returns a stream that resumes broken connections: `open` requests the bytes from a position. Throws CoreError if
 * nothing can be opened, or if the connection breaks too often.
 */
export async function resumed(
  open: (position: number) => Promise<CoreAnswer>,
  signal: AbortSignal,
  onAway: (error: CoreError) => void,
): Promise<Readable> {
  let position = 0;
  const openAgain = (): Promise<CoreAnswer> => whileCoreIsAway(() => open(position), signal, onAway);
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
        return;
      } catch (error) {
        signal.throwIfAborted();
        const broken = CoreError.ofBrokenRead(messageOf(error));
        if (breaks >= mostBreaks) throw broken;
        onAway(broken);
      }
      answer = await openAgain();
      if (position > 0 && answer.status !== 206) throw CoreError.ofBrokenRead('the rest cannot be read');
    }
  }
  const stream = Readable.from(bytes(), { objectMode: false });
  // If a plugin stops reading, a later error of the stream must not end the process.
  stream.on('error', () => undefined);
  return stream;
}
