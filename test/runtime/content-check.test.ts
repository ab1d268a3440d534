import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { checkArtifacts } from '@knowledge-warehouse/plugin/protocol';
import type { ContentType } from '../../core/states.js';
import { checkContent } from '../../runtime/content/content-check.js';

/** What comes out of the check when the bytes go in piece by piece; null when it refuses them. */
async function pass(
  contentType: ContentType,
  bytes: Buffer,
  cuts: readonly number[],
): Promise<Buffer | null> {
  const ends = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  const chunks = [0, ...ends].map((from, index) => bytes.subarray(from, ends[index] ?? bytes.length));
  const check = checkContent(contentType);
  Readable.from(chunks, { objectMode: false }).pipe(check);
  return await buffer(check).catch((error: unknown) => {
    assert.equal((error as { code: string }).code, 'VALIDATION_FAILED');
    return null;
  });
}

/** Whether the same content, looked at as a whole, is one. */
function isContent(contentType: ContentType, text: string): boolean {
  let content: unknown;
  const infinite: number[] = [];
  try {
    content = JSON.parse(text, (_key, value: unknown) => {
      // Such as 1e400, which no double holds.
      if (typeof value === 'number' && !Number.isFinite(value)) infinite.push(value);
      return value;
    });
  } catch {
    return false;
  }
  if (infinite.length > 0) return false;
  if (contentType === 'json')
    return typeof content === 'object' && content !== null && !Array.isArray(content);
  const artifact = { type: 'x', content_type: contentType, content };
  return Array.isArray(content) && checkArtifacts({ status: 'SUCCESS', artifact }).length === 0;
}

const cuts = fc.array(fc.nat(), { maxLength: 6 });
const vectorLike = fc.oneof(
  fc.array(fc.oneof({ weight: 9, arbitrary: fc.double() }, fc.string())),
  fc.array(fc.array(fc.double(), { maxLength: 3 }), { maxLength: 4 }),
  fc
    .tuple(fc.nat(4), fc.nat(4))
    .map(([rows, length]) => Array.from({ length: rows }, () => Array(length).fill(1))),
);

describe('the check of content that arrives in pieces', () => {
  it('has the same result for JSON as for the whole, wherever it is split, and forwards the bytes', async () => {
    const json = fc.oneof(
      fc.json(),
      fc.object().map((value) => JSON.stringify(value)),
      vectorLike.map((value) => JSON.stringify(value)),
    );
    const broken = fc.tuple(
      json,
      fc.nat(),
      fc.constantFrom('', ',', '}', ']', '"', '\\', '0', '\u0001', ' '),
    );
    const texts = fc.oneof(
      json,
      broken.map(([text, at, put]) => {
        const position = at % (text.length + 1);
        return text.slice(0, position) + put + text.slice(position + 1);
      }),
    );
    await fc.assert(
      fc.asyncProperty(texts, cuts, fc.constantFrom('json', 'vector'), async (text, at, kind) => {
        const bytes = Buffer.from(text);
        fc.pre(bytes.toString() === text);
        const passed = await pass(kind, bytes, at);
        assert.equal(passed !== null, isContent(kind, text), JSON.stringify(text));
        if (passed !== null) assert.ok(passed.equals(bytes));
      }),
      { numRuns: 500 },
    );
  });

  it('accepts every text in UTF-8, even if split within a character, and nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string({ unit: 'binary' }).map((text) => Buffer.from(text)),
          fc.uint8Array().map((bytes) => Buffer.from(bytes)),
        ),
        cuts,
        async (bytes, at) => {
          const isText = Buffer.from(bytes.toString()).equals(bytes);
          const passed = await pass('text', bytes, at);
          assert.equal(passed !== null, isText);
          if (passed !== null) assert.ok(passed.equals(bytes));
        },
      ),
    );
  });
});
