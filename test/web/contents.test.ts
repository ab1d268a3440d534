import assert from 'node:assert/strict';
import type { Artifact } from '@knowledge-warehouse/client';
import { afterPair, countCodePoints, splitEvery } from '../../web/src/parts/code-points.js';
import { formatBytes, formatDuration, formatRelative } from '../../web/src/parts/format.js';
import { move } from '../../web/src/parts/json-tree/move.js';
import { openAtFirst, toRows } from '../../web/src/parts/json-tree/rows.js';
import { rowEstimate } from '../../web/src/parts/row-estimate.js';
import { readMetadata } from '../../web/src/parts/metadata/read-metadata.js';
import { largestOf, niceTop, throughputSeries } from '../../web/src/views/overview/series.js';
import { isTooComplex } from '../../web/src/views/resource/artifact/text/is-too-complex.js';
import { looksLikeMarkdown, toPieces } from '../../web/src/views/resource/artifact/text/text-lines.js';
import { textOf } from '../../web/src/views/resource/place/place.js';
import { measure, toColumns } from '../../web/src/views/resource/artifact/vectors/vector-measures.js';

describe('the text of a place', () => {
  const made = (type: string, step_index: number): Artifact =>
    ({ type, step_index, content_type: type === 'chunks' ? 'json' : 'text' }) as Artifact;

  it('is the one that the chunks were cut from; without chunks, the last one', () => {
    const stepOf = (...artifacts: readonly Artifact[]): number | undefined =>
      textOf({ artifacts: [...artifacts] })?.step_index;
    const [extracted, cleaned, summary] = [made('text', 0), made('text', 1), made('text', 3)];
    assert.equal(stepOf(extracted, cleaned, made('chunks', 2), summary), 1);
    assert.equal(stepOf(extracted, cleaned), 1);
    assert.equal(stepOf(made('chunks', 2), summary), undefined);
  });
});

describe('JSON as a tree', () => {
  const value = { title: 'x', pages: [1, 2, 3], 'a/b': { deep: true }, text: `${'long '.repeat(50)}\nend` };

  it('shows the lines of expanded nodes', () => {
    const closed = toRows(value, new Set());
    assert.deepEqual([closed.length, closed[0]?.isOpen], [1, false]);
    const rows = toRows(value, new Set(['', '/a~1b', '/text']));
    assert.deepEqual(rows.map(({ path, isOpen }) => [path, isOpen]).slice(0, 5), [
      ['', true],
      ['/title', null],
      ['/pages', false],
      ['/a~1b', true],
      ['/a~1b/deep', null],
    ]);
    const text = rows.filter(({ path }) => path.startsWith('/text/')).map((row) => row.value);
    assert.equal(text.join(''), value.text.replace('\n', ''));
  });

  it('expands at first what fits on a page', () => {
    const open = openAtFirst({ small: [1, 2], large: Array.from({ length: 1000 }, (_item, index) => index) });
    assert.deepEqual([...open], ['', '/small']);
  });

  it('supports the keys of a tree', () => {
    const rows = toRows(value, new Set(['', '/pages']));
    assert.deepEqual(move(rows, 0, 'ArrowDown'), { kind: 'go', to: 1 });
    assert.deepEqual(move(rows, 0, 'ArrowUp'), { kind: 'go', to: 0 });
    assert.deepEqual(move(rows, 2, 'ArrowLeft'), { kind: 'close', path: '/pages' });
    assert.deepEqual(move(rows, 4, 'ArrowLeft'), { kind: 'go', to: 2 });
    assert.deepEqual(move(rows, 6, 'ArrowRight'), { kind: 'open', path: '/a~1b' });
    assert.deepEqual(move(rows, 0, 'End'), { kind: 'go', to: rows.length - 1 });
    assert.equal(move(rows, 1, 'Enter'), null);
    assert.equal(move(rows, 1, 'x'), null);
  });
});

describe('a text', () => {
  it('is cut into pieces that can be laid out, losing nothing', () => {
    const text = `one\r\ntwo\rthree\n${'x'.repeat(2500)}`;
    const pieces = toPieces(text);
    assert.deepEqual(pieces.slice(0, 3), ['one', 'two', 'three']);
    assert.equal(pieces.slice(3).join(''), 'x'.repeat(2500));
    assert.ok(pieces.every((piece) => piece.length <= 1000));
  });

  it('of very many lines is cut into pieces of several, and no list is taller than browsers allow', () => {
    const text = `${'\nx'.repeat(1_000_000)}\n${'y'.repeat(2500)}\nend`;
    const pieces = toPieces(text);
    assert.ok(pieces.length <= 500_000, `${pieces.length} pieces`);
    assert.equal(pieces.join('\n').replaceAll('y\ny', 'yy'), text);
    assert.ok(pieces.every((piece) => piece.length <= 1000));
    assert.equal(rowEstimate(24, 20_000), 24);
    for (const count of [500_000, 2_000_000, 10_000_000]) {
      const estimate = rowEstimate(24, count);
      assert.ok(estimate >= 1 && estimate * count <= 17_000_000, `${estimate} px`);
    }
  });

  it('is recognized as Markdown by its syntax', () => {
    for (const text of ['# Title\n', 'a\n- item\n', '| a | b |\n|---|---|\n', 'see [x](https://x.example)'])
      assert.equal(looksLikeMarkdown(text), true, text);
    for (const text of ['Just words.\nAnd more.', '#hashtag', 'a - b', '5 * 3']) {
      assert.equal(looksLikeMarkdown(text), false, text);
    }
  });

  it('is not rendered as Markdown if it is nested too deeply', () => {
    const nested = [
      '>',
      '> ',
      '* ',
      '- > ',
      '1. ',
      '2) ',
      '[',
      '![a',
      '*a ',
      '**a_ ',
      'a]\n',
      '*a\r\n',
      '  ~~a\r',
      '|a]\n',
      '2. a]\n',
      '|a|\n|-|-|\n|a]\n',
    ];
    for (const marks of nested) assert.equal(isTooComplex(`Words.\n\n${marks.repeat(4_000)}a`), true, marks);
    const flat = ['> a\n\n', '* [a](b)\n', '1. *a*\r\n', '# [a](b)\n', '[a](b)\n\n', 'a '];
    for (const text of flat) assert.equal(isTooComplex(text.repeat(4_000)), false, text);
    const rows = (columns: number, number: number): string =>
      `| a ${'| b '.repeat(columns)}|\n| - ${'| - '.repeat(columns)}|\n${'| [a](b) | _c_ |\n'.repeat(number)}`;
    const numbered = Array.from({ length: 2_000 }, (_, at) => `${at + 1}. [a](b)\n`).join('');
    for (const text of [rows(1, 4_000), `# Many\n\n${rows(9, 1_000)}`, numbered])
      assert.equal(isTooComplex(text), false, text.slice(0, 50));
    const many = `${'a]'.repeat(900)}\n`;
    for (const text of [
      `1. a\n${`   2. ${many}`.repeat(9)}`,
      `|a|b\n|-|\n${`|${many}`.repeat(9)}`,
      `|a\n|-\n${'a\n'.repeat(90_000)}`,
      rows(200, 200),
      `> a${'|b'.repeat(999)}\n> -${'|-'.repeat(999)}\n${'> c\n'.repeat(999)}`,
    ])
      assert.equal(isTooComplex(text), true, text.slice(0, 50));
    assert.equal(isTooComplex(`${' '.repeat(200_000)}${'>'.repeat(49)}`), false);
  });
});

describe('a vector', () => {
  it('is measured, including an empty one and a long one', () => {
    assert.deepEqual(measure([3, -4]), { min: -4, max: 3, mean: -0.5, length: 5 });
    assert.deepEqual(measure([]), { min: 0, max: 0, mean: 0, length: 0 });
    assert.equal(measure(new Array<number>(1_000_000).fill(1)).length, 1000);
  });

  it('is plotted in columns that hide no value', () => {
    const vector = Array.from({ length: 1000 }, (_value, index) => (index === 637 ? 9 : -1));
    const columns = toColumns(vector, 450);
    assert.equal(columns.length, 450);
    assert.equal(Math.max(...columns.map(({ high }) => high)), 9);
    assert.equal(toColumns([1, 2], 450).length, 2);
  });
});

describe('a text with characters outside the basic plane', () => {
  const text = '😀'.repeat(1_001);

  it('is counted in code points', () => {
    assert.equal(countCodePoints(`a${text}\ud83d`), 1_003);
  });

  it('is cut between characters, never within one', () => {
    for (const pieces of [
      splitEvery(`a${text}`, 1_000),
      toPieces(`a${text}`),
      toRows(`a${text}`, new Set(['']))
        .slice(1)
        .map(({ value }) => value as string),
    ]) {
      assert.ok(pieces.length > 2);
      assert.equal(pieces.join(''), `a${text}`);
      assert.deepEqual(
        pieces.filter((piece) => /\p{Surrogate}/u.test(piece)),
        [],
      );
    }
    assert.deepEqual(splitEvery('', 10), ['']);
    assert.deepEqual(
      [0, 1, 2, 9].map((index) => afterPair('😀', index)),
      [0, 2, 2, 9],
    );
  });
});

describe('the metadata of a resource', () => {
  it('is shown as it was written, that of an artifact as words', () => {
    const metadata = { team_a: 'x', Flag: true, none: null, dash: '–', tags: ['a', 1], nested: { a: 1 } };
    const linesOf = (isVerbatim: boolean): readonly string[] =>
      readMetadata(metadata, isVerbatim).facts.map(({ name, value }) => `${name}: ${value}`);
    assert.deepEqual(linesOf(true), ['team_a: x', 'Flag: true', 'none: null', 'dash: –', 'tags: a, 1']);
    assert.deepEqual(linesOf(false), ['Team a: x', 'Flag: Yes', 'None: –', 'Dash: –', 'Tags: a, 1']);
  });
});

describe('numbers for display', () => {
  it('format sizes and times', () => {
    assert.deepEqual([0, 999, 1000, 12_345, 999_999, 5e9].map(formatBytes), [
      '0 B',
      '999 B',
      '1 kB',
      '12.3 kB',
      '1 MB',
      '5 GB',
    ]);
    assert.deepEqual([12, 4_200, 59_960, 65_000, 3_600_000, 90_000_000].map(formatDuration), [
      '12 ms',
      '4.2 s',
      '1 min',
      '1 min 5 s',
      '1 h',
      '1 d 1 h',
    ]);
    const now = Date.parse('2026-01-02T00:00:00Z');
    assert.equal(formatRelative(new Date(now - 5_000), now), 'just now');
    assert.equal(formatRelative(new Date(now - 61_000), now), '1 minute ago');
    assert.equal(formatRelative(new Date(now - 86_400_000), now), 'yesterday');
    assert.equal(formatRelative(new Date(now + 3_700_000), now), 'in 1 hour');
  });

  it('give a chart an axis that fits all values', () => {
    for (const largest of [0, 3, 7, 11, 99, 120, 1001, 86_402]) {
      const top = niceTop(largest);
      assert.ok(top >= largest && (largest < 10 || top <= largest * 1.4), `${largest}: ${top}`);
      assert.ok(Number.isInteger(top / 2), `${top}`);
    }
    const bucket = { at: '', registered: 4, completed: 3, failed: 2, cancelled: 1 };
    assert.equal(largestOf([bucket], throughputSeries), 6);
    assert.equal(largestOf([], throughputSeries), 0);
  });
});
