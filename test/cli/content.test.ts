import assert from 'node:assert/strict';
import fc from 'fast-check';
import { contentMember } from '../../cli/resources/get/content-member.js';
import { decodeString } from '../../cli/resources/get/json-string.js';

/** Bytes in pieces of these lengths, over and over. */
async function* pieces(text: string, lengths: readonly number[]): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let from = 0, turn = 0; from < bytes.length; turn += 1) {
    const length = lengths[turn % lengths.length] ?? 1;
    yield bytes.subarray(from, from + length);
    from += length;
    await Promise.resolve();
  }
}

async function collect(parts: AsyncIterable<Uint8Array | string>): Promise<string> {
  const all: Buffer[] = [];
  for await (const part of parts) all.push(Buffer.from(part));
  return Buffer.concat(all).toString();
}

const lengths = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 5 });
/** A character as itself, or as JSON may also write it. */
const text = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\\', '\\\\', '"', '\n', '\\u12', '\ud83d\ude00', 'é'),
    ),
  )
  .map((parts) => parts.join(''));
const escaped = (json: string): string =>
  json.replace(/[^\0-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

describe('the content of an artifact', () => {
  it('is found at any position in the JSON, byte for byte', async () => {
    const rest = fc.dictionary(fc.string(), fc.jsonValue());
    await fc.assert(
      fc.asyncProperty(
        fc.jsonValue(),
        rest,
        rest,
        fc.nat(3),
        lengths,
        async (content, before, after, indent, cut) => {
          const members = [
            ...Object.entries(before).filter(([key]) => key !== 'content'),
            ['content', content] as const,
            ...Object.entries(after).filter(([key]) => key !== 'content' && !(key in before)),
          ];
          const space = ' '.repeat(indent);
          const written = members.map(
            ([key, value]) => `${JSON.stringify(key)}${space}:${space}${JSON.stringify(value)}`,
          );
          const json = `${space}{${space}${written.join(`${space},${space}`)}${space}}\n`;
          assert.equal(await collect(contentMember(pieces(json, cut))), JSON.stringify(content));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('is decoded correctly, however it is escaped and split', async () => {
    await fc.assert(
      fc.asyncProperty(text, fc.boolean(), lengths, async (original, ascii, cut) => {
        const wellFormed = original.toWellFormed();
        const json = JSON.stringify(wellFormed);
        assert.equal(await collect(decodeString(pieces(ascii ? escaped(json) : json, cut))), wellFormed);
      }),
      { numRuns: 500 },
    );
  });

  it('is rejected if the response ends early', async () => {
    const json = '{"id":"a","content":"one two"}';
    for (let length = 1; length < json.length; length += 1) {
      const cut = pieces(json.slice(0, length), [7]);
      await assert.rejects(
        collect(decodeString(contentMember(cut))),
        /ended early|has no content/,
        String(length),
      );
    }
    await assert.rejects(collect(contentMember(pieces('{"contents":1}', [3]))), /has no content/);
  });
});
