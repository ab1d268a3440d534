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
type TokenRule = (token: Token, depth: number) => void;

function objectRule(): TokenRule {
  let first = true;
  return ({ name }) => {
    if (first && name !== 'startObject') throw invalid('JSON content must be an object');
    first = false;
  };
}

/** Checks that a vector is an array of numbers, or an array of such arrays of equal length. */
function vectorRule(): TokenRule {
  const message = 'a vector must be an array of finite numbers, or of such arrays of equal length';
  let rows: 'UNKNOWN' | 'NUMBERS' | 'ARRAYS' = 'UNKNOWN';
  let length: number | null = null;
  let count = 0;
  const expect = (found: 'NUMBERS' | 'ARRAYS'): void => {
    if (rows === 'UNKNOWN') rows = found;
    else if (rows !== found) throw invalid(message);
  };
  return ({ name }, depth) => {
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
    rule(token, depth);
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

/**
 * Passes the bytes of an artifact's content on and validates them as they stream, without buffering: text is UTF-8,
 * JSON is an object, a vector is an array of finite numbers or of such arrays of equal length. The stream fails with
 * VALIDATION_FAILED at the first violation, or at its end if the content is incomplete.
 */
export function checkContent(contentType: ContentType): Transform {
  const reader =
    contentType === 'text' ? null : createJsonReader(contentType === 'json' ? objectRule() : vectorRule());
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let size = 0;
  const decode = (chunk?: Buffer): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw invalid('is not UTF-8');
    }
  };
  const read = (chunk?: Buffer): void => {
    const text = decode(chunk);
    if (text !== '') reader?.read(text);
  };
  const check = async (chunk: Buffer): Promise<void> => {
    size += chunk.length;
    const length = reader === null ? chunk.length : pieceBytes;
    const pieces: Buffer[] = [];
    for (let from = 0; from < chunk.length; from += length) pieces.push(chunk.subarray(from, from + length));
    await mapInTurns(pieces, read);
  };
  const finish = (): void => {
    read();
    if (reader !== null && size === 0) throw invalid('is empty, which is not JSON');
    reader?.end();
  };
  const settle = (work: Promise<void>, done: TransformCallback, chunk?: Buffer): void => {
    work.then(
      () => done(null, chunk),
      (error: unknown) => done(error as Error),
    );
  };
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => settle(check(chunk), done, chunk),
    flush: (done) => settle(Promise.resolve().then(finish), done),
  });
}
