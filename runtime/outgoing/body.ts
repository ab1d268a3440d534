import { Transform, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { failedInBody, OutgoingError } from './errors.js';

/** Passes at most the given number of bytes and fails if there are more. */
function createLimit(maxBytes: number, url: URL): Transform {
  let left = maxBytes;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      left -= chunk.length;
      if (left < 0) done(tooLarge(url, maxBytes));
      else done(null, chunk);
    },
  });
}

export function tooLarge(url: URL, maxBytes: number): OutgoingError {
  return new OutgoingError('TOO_LARGE', `The response of ${url.host} has more than ${maxBytes} bytes.`);
}

function decoderFor(encoding: string, url: URL): Transform | null {
  switch (encoding.trim().toLowerCase()) {
    case '':
    case 'identity':
    case 'none':
    case 'utf-8':
      return null;
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    default:
      throw new OutgoingError(
        'BAD_RESPONSE',
        `${url.host} responded in the encoding "${encoding.replace(/[^\w ,.-]/g, '').slice(0, 40)}", which was not requested.`,
      );
  }
}

/**
 * The decoded body of a response. The size limit applies before and after decoding, so that small bodies that
 * decompress to large ones are cut off too. It fails with an OutgoingError, or with the signal's reason after an abort.
 * Throws OutgoingError BAD_RESPONSE for an unknown encoding. `onClose` is called exactly once, however the body ends.
 */
export function boundedBody(
  body: Readable,
  options: {
    readonly url: URL;
    readonly encoding: string;
    readonly maxBytes: number;
    readonly signal: AbortSignal;
    readonly onClose: () => void;
  },
): Readable {
  const { url, maxBytes, signal } = options;
  const decoder = decoderFor(options.encoding, url);
  const last = createLimit(maxBytes, url);
  const stages = decoder ? [body, createLimit(maxBytes, url), decoder, last] : [body, last];

  const fail = (error: unknown): void => {
    const known = signal.aborted ? (signal.reason as Error) : error;
    last.destroy(
      known instanceof OutgoingError || signal.aborted ? (known as Error) : failedInBody(url, known),
    );
  };
  stages.slice(0, -1).forEach((stage, i) => {
    stage.on('error', fail);
    stage.on('close', () => {
      if (!stage.readableEnded) fail(new Error('The body was closed before its end.'));
    });
    stage.pipe(stages[i + 1] as Transform);
  });
  // The reader gets the error; if there is no reader, it must not crash the process.
  last.on('error', () => undefined);
  last.on('close', () => {
    for (const stage of stages) stage.destroy();
    options.onClose();
  });
  return last;
}
