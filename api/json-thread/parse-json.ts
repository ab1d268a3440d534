import { ServiceError, validationFailed } from '../../core/errors.js';
import { deepestMessage, tooDeep } from '../../core/json/json-bounds.js';

/** Parses JSON bytes. Throws MALFORMED_BODY, or VALIDATION_FAILED if it is nested too deeply. */
export function parseJson(bytes: Uint8Array): unknown {
  checkDepth(bytes);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new ServiceError('MALFORMED_BODY', 'The body is not valid UTF-8.', {}, { cause: error });
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ServiceError(
      'MALFORMED_BODY',
      `The body is not valid JSON: ${(error as Error).message}.`,
      {},
      { cause: error },
    );
  }
}

/** Throws VALIDATION_FAILED for JSON that is nested too deeply. To be called before recursive code sees the value. */
export function checkDepth(bytes: Uint8Array, path = ''): void {
  if (depthOf(bytes) > deepestMessage) throw validationFailed({ ...tooDeep, path });
}

/** Returns how deeply brackets outside strings are nested. JSON's syntax is ASCII, so bytes are enough. */
function depthOf(bytes: Uint8Array): number {
  let depth = 0;
  let most = 0;
  let inString = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (inString) {
      if (byte === 0x5c) at += 1;
      else if (byte === 0x22) inString = false;
    } else if (byte === 0x22) inString = true;
    else if (byte === 0x7b || byte === 0x5b) most = Math.max(most, (depth += 1));
    else if (byte === 0x7d || byte === 0x5d) depth -= 1;
  }
  return most;
}
