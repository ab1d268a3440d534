import { Readable } from 'node:stream';
import { messageOf } from '../protocol/text.js';
import type { CoreAnswer } from './core-client.js';
import { CoreError, whileCoreIsAway } from './core-error.js';

/** Times in a row that a connection may break without a byte in between. */
const mostBreaks = 5;

/**
 * A stream of bytes that survives broken connections: `open` is asked for the rest from a position on. Throws
 * CoreError when nothing can be opened at all, or when it breaks again and again.
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
      if (position > 0 && answer.status !== 206) throw CoreError.ofBrokenRead('the rest cannot be had');
    }
  }
  const stream = Readable.from(bytes(), { objectMode: false });
  // A plugin that reads no further is not to end the process when the rest fails.
  stream.on('error', () => undefined);
  return stream;
}
