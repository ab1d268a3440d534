import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { countTokens as countCl100k } from 'gpt-tokenizer/encoding/cl100k_base';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { countCodePoints } from '../../core/documents/code-points.js';
import { createBuiltInPlugins } from '../../plugins/built-in.js';
import { chunkText } from '../../plugins/chunk-text/index.js';
import { chunksOf, type Chunk, type ChunkSizes } from '../../plugins/chunk-text/chunks.js';
import { tokenCounter, type Measure } from '../../plugins/chunk-text/measures.js';
import { childPlaces, runInChild } from '../../plugins/host/run-in-child.js';
import { PluginFailure } from '@knowledge-warehouse/plugin';
import { runPlugin } from '@knowledge-warehouse/plugin/testing';

interface ChunkRecord {
  readonly index: number;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly tokens?: number;
}

async function chunk(text: string, config: Record<string, unknown> = {}): Promise<readonly ChunkRecord[]> {
  const { artifacts } = await runPlugin(chunkText, { inputs: { text }, config });
  const artifact = artifacts.get('chunks');
  assert(artifact?.content_type === 'json');
  return artifact.content['chunks'] as readonly ChunkRecord[];
}

/** Texts as they come and as they should not: prose, code, scripts without spaces, long runs, odd code points. */
const pieces = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      'The tide ',
      'came in. ',
      'Late, ',
      'and quiet!\n',
      'New part\n\n',
      '- item\n',
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom('会議は終了しました。', '第二章', '😀', '👩‍👩‍👧', 'é', 'שלום ', '<|endoftext|>'),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('a', ' ', '\n', '=', '漢', '𝔘'), fc.nat(300))
      .map(([c, n]) => c.repeat(n)),
  },
);
const texts = fc.array(pieces, { maxLength: 120 }).map((parts) => parts.join('').toWellFormed());
const sizes = fc
  .tuple(fc.integer({ min: 16, max: 200 }), fc.nat(199))
  .map(([size, overlap]) => ({ size, overlap: Math.min(overlap, size - 1) }));

function checkChunks(
  text: string,
  { size, overlap }: ChunkSizes,
  chunks: readonly Chunk[],
  measure: Measure,
): void {
  const codePoints = Array.from(text);
  let covered = 0;
  let lastStart = -1;
  for (const [position, { index, text: slice, start, end, units }] of chunks.entries()) {
    assert.equal(index, position);
    assert.equal(slice, codePoints.slice(start, end).join(''));
    assert(slice.isWellFormed());
    assert.equal(units, measure(slice));
    assert(units <= size, `${units} units in a chunk of ${size}`);
    assert(start > lastStart && start <= covered && end > covered, 'chunks go on and leave no gap');
    if (start < covered)
      assert(measure(codePoints.slice(start, covered).join('')) <= overlap, 'shares too much');
    [lastStart, covered] = [start, end];
  }
  assert.equal(covered, codePoints.length, 'chunks cover all');
}

describe('chunk-text', () => {
  it('cuts any text into exact slices within its size limits, by characters', () => {
    fc.assert(
      fc.property(texts, sizes, (text, asked) => {
        checkChunks(text, asked, [...chunksOf(text, asked, countCodePoints)], countCodePoints);
      }),
    );
  });

  it('cuts any text into exact slices within its size limits, by tokens', async () => {
    const measure = await tokenCounter('o200k_base');
    const exactly: Measure = (text) => countTokens(text, { disallowedSpecial: new Set() });
    fc.assert(
      fc.property(texts, sizes, (text, asked) => {
        checkChunks(text, asked, [...chunksOf(text, asked, measure)], exactly);
      }),
    );
  });

  it('fills chunks and overlaps them by nearly as much as requested', () => {
    const text = 'Some words of a plain kind in a row '.repeat(2000);
    const chunks = [...chunksOf(text, { size: 400, overlap: 80 }, countCodePoints)];
    for (const [index, { start, units }] of chunks.entries()) {
      const before = chunks[index - 1];
      if (!before) continue;
      assert(before.units > 390, `a chunk has only ${before.units}`);
      assert(before.end - start > 70, `only ${before.end - start} are shared`);
      assert(index === chunks.length - 1 || units > 390);
    }
  });

  it('prefers to cut at the end of a paragraph, then of a sentence, then of a word', () => {
    const ends = (text: string): string[] =>
      [...chunksOf(text, { size: 40, overlap: 0 }, countCodePoints)].map((piece) => piece.text);
    assert.deepEqual(ends('One two three four. Five six.\n\nSeven eight nine ten eleven.'), [
      'One two three four. Five six.\n\n',
      'Seven eight nine ten eleven.',
    ]);
    assert.deepEqual(ends('One two three four five six. Seven eight nine ten.'), [
      'One two three four five six. ',
      'Seven eight nine ten.',
    ]);
    assert.deepEqual(ends('one two three four five six seven eight nine ten'), [
      'one two three four five six seven eight ',
      'nine ten',
    ]);
    assert.deepEqual(
      ends('会議は予定どおり午前九時に始まり、全員が出席しました。次の会議は来月の三日に開かれます。'),
      ['会議は予定どおり午前九時に始まり、全員が出席しました。', '次の会議は来月の三日に開かれます。'],
    );
  });

  it('emits records with code point offsets and token counts', async () => {
    const text = `😀 ${'Tide tables are printed every year. '.repeat(40)}`;
    const chunks = await chunk(text, { size: 64, overlap: 16, encoding: 'cl100k_base' });
    assert(chunks.length > 3);
    for (const { text: slice, start, end, tokens } of chunks) {
      assert.equal(slice, Array.from(text).slice(start, end).join(''));
      assert.equal(tokens, countCl100k(slice));
    }
    const [only, ...rest] = await chunk('short 😀', { unit: 'characters' });
    const nowhere = { page_start: null, page_end: null, headings: [] };
    assert.deepEqual([only, rest], [{ index: 0, text: 'short 😀', start: 0, end: 7, ...nowhere }, []]);
    assert.deepEqual(await chunk(''), []);
    const mark = '\ufeffmark';
    assert.deepEqual(await chunk(mark, { unit: 'characters' }), [
      { index: 0, text: mark, start: 0, end: 5, ...nowhere },
    ]);
  });

  it('rejects an invalid config, and a missing text', async () => {
    for (const config of [
      { size: 64, overlap: 64 },
      { size: 32 },
      { size: 0 },
      { unit: 'words' },
      { overlap: -1 },
    ]) {
      await assert.rejects(chunk('text', config), (error) => {
        return (
          error instanceof PluginFailure &&
          error.code === 'INVALID_CONFIG' &&
          error.options.retryable === false
        );
      });
    }
    await assert.rejects(runPlugin(chunkText, {}), { code: 'MISSING_INPUT' });
  });

  it('cuts a short text with a large overlap while longer tasks take all other places', async () => {
    const busy = new AbortController();
    const long = Array.from({ length: childPlaces + 1 }, () =>
      runInChild({
        module: new URL('./support/hostile-child.mjs', import.meta.url),
        request: 'loop',
        input: () => Promise.resolve(Readable.from(['source'])),
        limits: { memoryMb: 192, timeoutSeconds: 300, outputBytes: 1_000 },
        signal: busy.signal,
        subject: 'TASK',
      }),
    );
    const ends = Promise.allSettled(long);
    try {
      const chunks = await chunk('x'.repeat(2_000), { unit: 'characters', size: 64, overlap: 62 });
      assert.equal(chunks.at(-1)?.end, 2_000);
    } finally {
      busy.abort();
    }
    assert.ok((await ends).every(({ status }) => status === 'rejected'));
  });

  it('is fast on megabytes, with or without spaces, and does not block the event loop', async () => {
    const prose = 'The harbour master wrote that the tide gauge, set up in 1807, still works. '.repeat(
      70_000,
    );
    const letters = Array.from(
      { length: 5_000_000 },
      (_, index) => 'etaoinshrdlu'[(index * index) % 11],
    ).join('');
    for (const text of [prose, letters]) {
      let turns = 0;
      const turning = setInterval(() => turns++, 0);
      const chunks = await chunk(text);
      clearInterval(turning);
      assert.ok(turns > 50, `others had ${turns} turns meanwhile`);
      assert.equal(chunks.at(-1)?.end, text.length);
      assert(chunks.length < text.length / 512);
    }
  });
});

describe('built-in plugins', () => {
  it('are complete', () => {
    assert.deepEqual(
      createBuiltInPlugins({ vectorFolder: '/vectors' }).map(({ id, reads, produces }) => [
        id,
        reads,
        produces,
      ]),
      [
        ['extract-text', [], ['text', 'metadata']],
        ['chunk-text', ['text'], ['chunks']],
        ['embed', ['chunks'], ['embeddings']],
        ['register-vectors', ['chunks', 'embeddings'], ['vector_registration']],
      ],
    );
  });
});
