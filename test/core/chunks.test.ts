import assert from 'node:assert/strict';
import { readChunk, readChunks } from '../../core/documents/chunks.js';

const nowhere = { start: null, end: null, page_start: null, page_end: null, headings: [] };

describe('the chunks of any plugin', () => {
  it('are kept as they are, except for unknown fields', () => {
    const chunk = {
      text: 'Disks',
      start: 1800,
      end: 1805,
      page_start: 7,
      page_end: 8,
      headings: ['Setup', 'Disks'],
    };
    assert.deepEqual(readChunks({ chunks: [{ ...chunk, index: 9, tokens: 1 }, { text: '' }] }), [
      { index: 0, ...chunk },
      { index: 1, text: '', ...nowhere },
    ]);
    assert.deepEqual(readChunks({ chunks: [] }), []);
  });

  const fields: readonly (readonly [given: Record<string, unknown>, read: Record<string, unknown>])[] = [
    [{ page_start: 3 }, { page_start: 3, page_end: 3 }],
    [
      { page_start: 3, page_end: null },
      { page_start: 3, page_end: 3 },
    ],
    [{ page_start: 4, page_end: 3 }, {}],
    [{ page_start: 0, page_end: 3 }, {}],
    [{ page_start: '3' }, {}],
    [{ page_end: 3 }, {}],
    [{ page_start: 3, page_end: 2 ** 40 }, {}],
    [{ start: 3 }, {}],
    [{ start: 3, end: 2 }, {}],
    [{ start: -1, end: 2 }, {}],
    [{ start: 0.5, end: 2 }, {}],
    [
      { start: 0, end: 0 },
      { start: 0, end: 0 },
    ],
    [{ headings: 'Setup' }, {}],
    [{ headings: [' ', null, 7, 'Setup'] }, { headings: ['Setup'] }],
    [{ headings: ['😀'.repeat(201)] }, { headings: ['😀'.repeat(200)] }],
    [
      { headings: Array.from({ length: 20 }, (_, at) => `h${at}`) },
      { headings: Array.from({ length: 10 }, (_, at) => `h${at}`) },
    ],
    [{ text: 'half \ud83d' }, { text: 'half \ufffd' }],
  ];
  it('lose invalid fields, and nothing else', () => {
    for (const [given, read] of fields)
      assert.deepEqual(
        readChunk({ text: 'a', ...given }, 5),
        { index: 5, text: 'a', ...nowhere, ...read },
        JSON.stringify(given),
      );
  });

  it('are rejected if they are not a list of texts', () => {
    for (const content of [
      null,
      undefined,
      7,
      [],
      {},
      { chunks: {} },
      { chunks: [null] },
      { chunks: [{ text: 1 }] },
    ])
      assert.equal(readChunks(content), null);
  });
});
