import { Transform, type TransformCallback } from 'node:stream';
import { getManyValues, isMany, none } from 'stream-chain/defs.js';
import { jsonParser, type Token } from 'stream-json/core/parser.js';
import { validationFailed, type ServiceError } from '../../core/errors.js';
import { mapInTurns } from '../../core/in-turns.js';
import { deepestJson } from '../../core/json/json-bounds.js';
import type { ContentType } from '../../core/states.js';

/** Size of a piece of JSON that is parsed before yielding to the event loop: a few thousand tokens. */
const pieceBytes = 4 * 1024;
/** Maximum length of a number in characters; more digits than any double has. */
const longestNumber = 1_000;

const invalid = (message: string): ServiceError => validationFailed({ path: '', message });

/** A check on the JSON tokens of a content. Throws VALIDATION_FAILED if the content is invalid. */
interface TokenRule {
  take(token: Token, depth: number): void;
}

/** Checks that JSON content is an object. */
function objectRule(): TokenRule {
  let first = true;
  return {
    take(token) {
      if (first && token.name !== 'startObject') throw invalid('JSON content must be an object');
      first = false;
    },
  };
}

/** Checks that a vector is an array of numbers, or an array of such arrays of equal length. */
function vectorRule(): TokenRule {
  const message = 'a vector must be an array of finite numbers, or of such arrays of one length';
  let rows: 'UNKNOWN' | 'NUMBERS' | 'ARRAYS' = 'UNKNOWN';
  let length: number | null = null;
  let count = 0;
  const expect = (found: 'NUMBERS' | 'ARRAYS'): void => {
    if (rows === 'UNKNOWN') rows = found;
    else if (rows !== found) throw invalid(message);
  };
  return {
    take({ name }, depth) {
      if (name === 'startArray' && depth === 1) return;
      if (name === 'startArray' && depth === 2) {
        expect('ARRAYS');
        count = 0;
      } else if (name === 'endArray' && depth === 2) {
        if (length !== null && length !== count) throw invalid(message);
        length = count;
      } else if (name === 'endNumber') {
        if (depth === 1) expect('NUMBERS');
        else count += 1;
      } else if (depth === 0 || !['startNumber', 'numberChunk', 'endArray'].includes(name)) {
        throw invalid(message);
      }
    },
  };
}

/** Parses JSON piece by piece without keeping it in memory. */
function createJsonReader(rule: TokenRule): { read(text: string): void; end(): void } {
  const parse = jsonParser({ packValues: false });
  let depth = 0;
  let number = '';
  const take = (token: Token): void => {
    const { name } = token;
    if (name === 'startObject' || name === 'startArray') {
      depth += 1;
      if (depth > deepestJson) throw invalid(`is nested deeper than ${deepestJson} levels`);
    }
    if (name === 'startNumber') number = '';
    if (name === 'numberChunk') number += token.value;
    if (number.length > longestNumber) throw invalid('contains a number with too many digits');
    if (name === 'endNumber' && !Number.isFinite(Number(number)))
      throw invalid('contains a number that a double cannot hold');
    rule.take(token, depth);
    if (name === 'endObject' || name === 'endArray') depth -= 1;
  };
  const feed = (text: string | typeof none): void => {
    let tokens: unknown;
    try {
      tokens = parse(text as string);
    } catch {
      throw invalid('is not JSON');
    }
    if (isMany(tokens)) (getManyValues(tokens) as Token[]).forEach(take);
  };
  return { read: feed, end: () => feed(none) };
}

class ContentCheck extends Transform {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  readonly #reader: ReturnType<typeof createJsonReader> | null;
  size = 0;

  constructor(contentType: ContentType) {
    super();
    this.#reader =
      contentType === 'text' ? null : createJsonReader(contentType === 'json' ? objectRule() : vectorRule());
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.size += chunk.length;
    const reader = this.#reader;
    void this.#check(done, chunk, async () => {
      if (reader === null) {
        this.#decode(chunk);
        return;
      }
      const pieces = Array.from({ length: Math.ceil(chunk.length / pieceBytes) }, (_, at) =>
        chunk.subarray(at * pieceBytes, (at + 1) * pieceBytes),
      );
      await mapInTurns(pieces, (piece) => {
        const text = this.#decode(piece);
        if (text !== '') reader.read(text);
      });
    });
  }

  override _flush(done: TransformCallback): void {
    void this.#check(done, undefined, () => {
      const text = this.#decode();
      if (text !== '') this.#reader?.read(text);
      if (this.#reader !== null && this.size === 0) throw invalid('is empty, which is not JSON');
      this.#reader?.end();
    });
  }

  #decode(chunk?: Buffer): string {
    try {
      return this.#decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw invalid('is not UTF-8');
    }
  }

  async #check(
    done: TransformCallback,
    chunk: Buffer | undefined,
    work: () => void | Promise<void>,
  ): Promise<void> {
    try {
      await work();
    } catch (error) {
      done(error as Error);
      return;
    }
    done(null, chunk);
  }
}

/**
 * Passes the bytes of an artifact's content on and validates them as they stream, without buffering: text is UTF-8,
 * JSON is an object, a vector is an array of finite numbers or of such arrays of equal length. The stream fails with
 * VALIDATION_FAILED at the first violation, or at its end if the content is incomplete.
 */
export function checkContent(contentType: ContentType): Transform {
  return new ContentCheck(contentType);
}
