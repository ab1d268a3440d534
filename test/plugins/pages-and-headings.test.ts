import assert from 'node:assert/strict';
import fc from 'fast-check';
import { countCodePoints } from '../../core/documents/code-points.js';
import { mostPages, pageAt, readTextLayout, type PageStart } from '../../core/documents/text-layout.js';
import { chunkText } from '../../plugins/chunk-text/index.js';
import { chunkRecords, type ChunkRecord, type Layout } from '../../plugins/chunk-text/records.js';
import { extractText } from '../../plugins/extract-text/index.js';
import { textMetadata } from '../../plugins/extract-text/text-metadata.js';
import { TextWriter, type WrittenText } from '../../plugins/extract-text/text-writer.js';
import { runPlugin, type CollectedArtifact, type PluginRun } from '@knowledge-warehouse/plugin/testing';
import { extractHere, fixture, lines } from './support/extracted.js';
import { presentation } from './support/presentation.js';

/** Reads a document and cuts its text, as the two steps of a pipeline do. */
async function readAndCut(
  run: PluginRun,
  config: Record<string, unknown> = {},
): Promise<{ text: CollectedArtifact; known: Record<string, unknown>; chunks: readonly ChunkRecord[] }> {
  const { artifacts } = await runPlugin(extractText, run);
  const [text, metadata] = [artifacts.get('text'), artifacts.get('metadata')];
  assert(text && metadata);
  const cut = await runPlugin(chunkText, {
    inputs: { text: text.content as string, metadata: metadata.content as object },
    inputMetadata: { text: text.metadata, metadata: metadata.metadata },
    config,
  });
  const made = cut.artifacts.get('chunks');
  assert(made);
  const { chunks } = made.content as { chunks: ChunkRecord[] };
  return { text, known: metadata.content as Record<string, unknown>, chunks };
}

/** The same, but reads the document in this process, which costs less than in a child. */
async function readHereAndCut(
  run: { readonly source: string | Buffer; readonly name?: string },
  config: Record<string, unknown> = {},
): Promise<{ text: string; pages: readonly PageStart[]; chunks: readonly ChunkRecord[] }> {
  const { text, metadata } = await extractHere({ ...run, source: Buffer.from(run.source as string) });
  const { artifacts } = await runPlugin(chunkText, {
    inputs: { text, metadata },
    inputMetadata: { text: textMetadata(metadata.text_format, metadata.pages) },
    config,
  });
  const made = artifacts.get('chunks');
  assert(made);
  const { chunks } = made.content as { chunks: ChunkRecord[] };
  return { text, pages: metadata.pages ?? [], chunks };
}

/** What a reader finds on each page: the text from its start to the start of the next one. */
function textsByPage(text: string, pages: readonly PageStart[]): [number, string][] {
  const codePoints = Array.from(text);
  return pages.map(({ number, start }, index) => [
    number,
    codePoints
      .slice(start, pages[index + 1]?.start)
      .join('')
      .trim(),
  ]);
}

function pagesOf(text: CollectedArtifact): readonly PageStart[] {
  return readTextLayout(text.metadata).pages ?? [];
}

describe('pages', () => {
  it('of a PDF start where their text does, and each chunk names them', async () => {
    const { text, known, chunks } = await readAndCut({
      source: fixture('handbook.pdf'),
      name: 'handbook.pdf',
    });
    const pages = pagesOf(text);
    assert.deepEqual(known['pages'], pages);
    assert.equal(known['page_count'], 130);
    for (const [number, content] of textsByPage(text.content as string, pages)) {
      assert.match(content, new RegExp(`Section ${number}\\.1 applies`));
      assert.match(content, new RegExp(`Section ${number}\\.3 applies`));
    }
    for (const chunk of chunks) {
      assert(chunk.page_start !== null && chunk.page_end !== null);
      assert.deepEqual(chunk.headings, []);
      const named = [...chunk.text.matchAll(/Section (\d+)\.\d applies/g)].map(([, page]) => Number(page));
      for (const page of named) assert(page >= chunk.page_start && page <= chunk.page_end);
    }
    assert.equal(chunks.at(-1)?.page_end, 130);
  });

  it('of presentations, workbooks and books are slides, sheets and chapters', async () => {
    const starts = async (name: string): Promise<unknown> => {
      const { text, pages } = await readHereAndCut({ source: fixture(name), name });
      return textsByPage(text, pages).map(([number, content]) => [number, content.split('\n')[0]]);
    };
    assert.deepEqual(await starts('review.pptx'), [
      [1, '## Quarterly review'],
      [2, '## What went well'],
      [3, '## Numbers'],
    ]);
    assert.deepEqual(await starts('tales.epub'), [
      [1, '# The Tide'],
      [2, '# The Lamp'],
    ]);
    const sheets = (await starts('stock.xlsx')) as [number, string][];
    assert.deepEqual(
      sheets.filter(([, line]) => line !== '').map(([, line]) => line),
      ['## Stock', '## Far away'],
    );
  });

  it('are null in the chunks of a format without pages', async () => {
    const { text, known, chunks } = await readAndCut({
      source: '# Tides\n\nThe tide came in.',
      name: 'a.md',
    });
    assert.deepEqual(text.metadata, { text_format: 'markdown' });
    assert.deepEqual([known['pages'], known['page_count']], [null, null]);
    assert.deepEqual(
      chunks.map(({ page_start, page_end }) => [page_start, page_end]),
      [[null, null]],
    );
  });

  it('are in the artifact “metadata” if the metadata of the text cannot hold them', async () => {
    const book = presentation(Array.from({ length: 800 }, (_, index) => `Slide ${index + 1} 😀`));
    const { text, known, chunks } = await readAndCut(
      { source: book, name: 'a.pptx' },
      { size: 16, overlap: 0 },
    );
    assert.deepEqual(text.metadata, { text_format: 'markdown', pages_in: 'metadata' });
    assert.equal((known['pages'] as unknown[]).length, 800);
    for (const chunk of chunks) {
      const numbers = [...chunk.text.matchAll(/## Slide (\d+)/g)].map(([, number]) => Number(number));
      assert.deepEqual([numbers[0], numbers.at(-1)], [chunk.page_start, chunk.page_end]);
    }
  });

  it('are found at any offset, whatever is cleaned out of the text', () => {
    fc.assert(
      fc.property(writtenPages, ({ written: { text, pages }, marks }) => {
        for (const { mark, page } of marks) {
          const offset = countCodePoints(text.slice(0, text.indexOf(mark)));
          assert.equal(pageAt(pages, offset), page);
          assert.equal(pageAt(pages, offset + mark.length - 1), page);
        }
      }),
    );
  });

  it('of chunks are those of their text', async () => {
    await fc.assert(
      fc.asyncProperty(
        writtenPages,
        fc.boolean(),
        async ({ written: { text, pages }, marks }, isMarkdown) => {
          const config = { unit: 'characters', size: 64, overlap: 16, encoding: 'o200k_base' } as const;
          const codePoints = Array.from(text);
          for await (const chunk of chunkRecords(text, config, { isMarkdown, pages })) {
            assert.equal(chunk.text, codePoints.slice(chunk.start, chunk.end).join(''));
            for (const { page } of marks.filter(({ mark }) => chunk.text.includes(mark)))
              assert(page >= (chunk.page_start ?? Infinity) && page <= (chunk.page_end ?? 0));
          }
        },
      ),
    );
  });

  it('that are too many to be useful are not recorded', () => {
    const out = new TextWriter(1024);
    for (let page = 0; page <= mostPages; page++) out.page();
    out.block('The end');
    assert.deepEqual(out.finish(), { text: 'The end', pages: null });
  });

  it('from another plugin are used as far as they are valid', () => {
    const read = (pages: unknown): unknown => readTextLayout({ pages }).pages;
    assert.deepEqual(
      read([
        { number: 2, start: 9 },
        { number: 1, start: 0, title: 'x' },
      ]),
      [
        { number: 1, start: 0 },
        { number: 2, start: 9 },
      ],
    );
    for (const senseless of [
      undefined,
      20,
      {},
      [],
      [null, 7, { number: 0, start: 1 }, { number: 1, start: -1 }],
    ])
      assert.equal(read(senseless), null);
    assert.equal(pageAt([{ number: 4, start: 50 }], 3), 4);
  });
});

describe('headings', () => {
  const cut = async (text: string, layout: Partial<Layout> = {}, size = 16): Promise<ChunkRecord[]> => {
    const config = { unit: 'characters', size, overlap: 4, encoding: 'o200k_base' } as const;
    const chunks: ChunkRecord[] = [];
    for await (const chunk of chunkRecords(text, config, { isMarkdown: true, pages: null, ...layout }))
      chunks.push(chunk);
    return chunks;
  };
  /** The path above the first chunk that holds a word. */
  const above = async (word: string, text: string): Promise<readonly string[] | undefined> =>
    (await cut(text)).find((chunk) => chunk.text.includes(word))?.headings;

  it('are the path to a chunk', async () => {
    const text = lines(
      'before',
      '',
      '# Setup',
      '',
      '## Disks',
      '',
      'spinning rust',
      '',
      '#### Speed',
      '',
      'revolutions',
      '',
      '## Network ##',
      '',
      'cables',
      '',
      '# Use',
      '',
      'start it',
    );
    const paths = await Promise.all(
      ['before', 'rust', 'revolutions', 'cables', 'start'].map((word) => above(word, text)),
    );
    assert.deepEqual(paths, [
      [],
      ['Setup', 'Disks'],
      ['Setup', 'Disks', 'Speed'],
      ['Setup', 'Network'],
      ['Use'],
    ]);
  });

  it('are read from DOCX, HTML, ODT, EPUB, PPTX and Markdown', async () => {
    const paths = async (run: Parameters<typeof readHereAndCut>[0]): Promise<string[]> => {
      const { chunks } = await readHereAndCut(run, { unit: 'characters', size: 60, overlap: 0 });
      return [...new Set(chunks.map(({ headings }) => headings.join(' › ')))];
    };
    const fixtures = ['minutes.docx', 'report.odt', 'tales.epub', 'review.pptx'].map((name) =>
      paths({ name, source: fixture(name) }),
    );
    const page = `<html><h1>Tides</h1><p>${'Water '.repeat(30)}<h2>Neap <em>tides</em></h2><p>${'Low '.repeat(30)}`;
    assert.deepEqual(await Promise.all([...fixtures, paths({ source: page })]), [
      ['Minutes of the board', 'Minutes of the board › Decisions'],
      ['Field report'],
      ['The Tide', 'The Lamp'],
      ['Quarterly review', 'What went well', 'Numbers'],
      ['Tides', 'Tides › Neap tides'],
    ]);
  });

  it('are not created from text that looks like Markdown in other formats', async () => {
    const config = { unit: 'characters', size: 24, overlap: 0 };
    for (const text of ['# comment', '```', '&lt;script>', '&lt;!-- begin', '1. # comment', '- ```']) {
      const page = `<html><h1>Code</h1><p>${text}</p><h2>More</h2><p>the end`;
      for (const run of [{ source: page }, { source: presentation(['Code', 'More', 'the end'], text) }]) {
        const { chunks } = await readHereAndCut(run, config);
        const headings = new Set(chunks.flatMap((chunk) => chunk.headings));
        assert.deepEqual(
          [...headings].filter((heading) => heading !== 'the end'),
          ['Code', 'More'],
          text,
        );
      }
    }
  });

  it('keep tags that are text or code', async () => {
    const config = { unit: 'characters', size: 24, overlap: 0 };
    const page =
      '<html><h1>API</h1><p>a<h2>&lt;Button></h2><p>b<h2>The <code>&lt;b></code> and <i>&lt;i></i> &amp;lt;</h2><p>c';
    const runs: readonly (readonly [Parameters<typeof readHereAndCut>[0], readonly string[]])[] = [
      [{ source: page }, ['API', '<Button>', 'The <b> and <i> &lt;']],
      [{ source: presentation(['Using &lt;div> tags', '&lt;Button>']) }, ['Using <div> tags', '<Button>']],
      [
        {
          source: '# `open()`\n\na\n\n## `<b>`\n\nb\n\n## <Button>\n\nc\n\n# `__init__` \\<i>',
          name: 'a.md',
        },
        ['open()', '<b>', '<Button>', '__init__ <i>'],
      ],
    ];
    for (const [run, headings] of runs) {
      const { chunks } = await readHereAndCut(run, config);
      assert.deepEqual([...new Set(chunks.flatMap((chunk) => chunk.headings))], headings);
    }
  });

  it('are distinguished from text that only looks like one', async () => {
    const none: readonly string[] = [
      '```sh\n# comment\n```\nword',
      '~~~\n# comment\n```\n# still\nword',
      '````\n```\n# comment\nword\n````',
      '   ```\n# comment that nothing ends\nword',
      '    # indented code\n\nword',
      '#hashtag\n\nword',
      '####### seven\n\nword',
      '\\# escaped\n\nword',
      '<!-- \n# comment\n-->\nword',
      '<pre>\n# comment\n</pre>\nword',
      '<script>x</script>\n\nword',
      '---\ntitle: Tides\n---\n\nword',
      '---  \n# comment\n...\n\nword',
      'one\ntwo\n---\nword',
      '- ```sh\n  # comment\n  ```\n\nword',
      '> ```sh\n> # comment\n>\n># comment\n> ```\n\nword',
      '-     # indented code\n\nword',
      '- item\n---\nword',
      '| a | b |\n|---|---|\nword',
      '#\n\nword',
      '# <br>\n\nword',
      '# <p></p>\n\nword',
    ];
    for (const text of none) assert.deepEqual(await above('word', text), [], text);
    const one: readonly [string, string][] = [
      ['```\ncode\n```\n# Tides\n\nword', 'Tides'],
      ['```code``` in a line\n\n# Tides\n\nword', 'Tides'],
      ['  ## Tides\r\n\r\nword', 'Tides'],
      ['Tides\n=====\n\nword', 'Tides'],
      ['Tides\r\n---\r\nword', 'Tides'],
      ['# Tides #\nword', 'Tides'],
      ['1. ## Tides\n\n   word', 'Tides'],
      ['> - # Tides\n> - word', 'Tides'],
      ['- ```\n  # comment\n  ```\n# Tides\nword', 'Tides'],
      ['> ```\n> # without end\n\n# Tides\nword', 'Tides'],
      ['---\n \n# Tides\n\n---\n\nword', 'Tides'],
      ['# Tides <tides@example.org>\n\nword', 'Tides <tides@example.org>'],
      ['# C#\n\nword', 'C#'],
      [
        '## **Neap** `tides` of [the moon](https://example.org/a_b) and snake_case\n\nword',
        'Neap tides of the moon and snake_case',
      ],
      ['# \\*Tides\\* <a name="x"></a>\n\nword', '*Tides*'],
    ];
    for (const [text, heading] of one) assert.deepEqual(await above('word', text), [heading], text);
  });

  it('are what a reader sees of badges, links, comments and entities', async () => {
    const seen: readonly (readonly [string, string])[] = [
      ['regex [![Build status](https://a.org/b.svg)](https://a.org/b)', 'regex Build status'],
      ['Related work [1][2] [Smith 2020][Jones 2021]', 'Related work [1][2] [Smith 2020][Jones 2021]'],
      ['[wiki](http://en.wikipedia.org/wiki/A_(b)) of [a [nested] b](u)', 'wiki of a [nested] b'],
      ['[1.0.0] list[0][1] [a](b `[a](b)`', '[1.0.0] list[0][1] [a](b [a](b)'],
      [
        'R&amp;D &#8212; &#x1F30A; &lt;T&gt; `&amp;` \\&amp; AT&T; &#0;',
        'R&D — 🌊 <T> &amp; &amp; AT&T; &#0;',
      ],
      ['Caf&eacute; <xs:element> <mailto:a@b.org>', 'Caf&eacute; <xs:element> mailto:a@b.org'],
      [
        'Tides <!-- <b>x</b> - y --> at <https://a.org/b_c_> `<!-- -->`',
        'Tides at https://a.org/b_c_ <!-- -->',
      ],
    ];
    for (const [markdown, heading] of seen)
      assert.deepEqual(await above('word', `# ${markdown}\n\nword`), [heading]);
  });

  it('are not detected if the text is not declared as Markdown', async () => {
    const { chunks } = await readAndCut({ source: '# a comment\n\nset -e', name: 'a.txt' });
    assert.deepEqual(
      chunks.map(({ headings }) => headings),
      [[]],
    );
    const other = await runPlugin(chunkText, { inputs: { text: '# Tides\n\nThe tide came in.' } });
    assert.deepEqual(other.artifacts.get('chunks')?.content, {
      chunks: [
        {
          index: 0,
          text: '# Tides\n\nThe tide came in.',
          start: 0,
          end: 26,
          page_start: null,
          page_end: null,
          headings: [],
          tokens: 9,
        },
      ],
    });
  });

  it('start a chunk if possible, which then repeats nothing from the section before', async () => {
    const text = lines(
      '# Tides',
      '',
      'High and low water.',
      '',
      'Twice a day.',
      '',
      '# Winds',
      '',
      'From the west, mostly.',
    );
    assert.deepEqual(
      (await cut(text, {}, 64)).map((chunk) => chunk.text.trim().split('\n')[0]),
      ['# Tides', '# Winds'],
    );
  });

  it('are truncated if they are long', async () => {
    const text = `# ${'😀'.repeat(600_000)}\n\nword\n\n## ${'[x]('.repeat(200_000)}\n\nmore`;
    const headings = (await cut(text, {}, 4096)).at(-1)?.headings ?? [];
    assert.deepEqual(
      headings.map((heading) => Array.from(heading).length),
      [200, 200],
    );
    assert(headings.every((heading) => heading.isWellFormed()));
  });
});

/** Pages of blocks, of which each has a mark that stands nowhere else, and what a writer makes of them. */
const writtenPages: fc.Arbitrary<{
  written: WrittenText;
  marks: readonly { mark: string; page: number }[];
}> = fc
  .array(
    fc.array(
      fc.tuple(
        fc.constantFrom('', ' ', '\r\n', '\u0007', '\ufeff', '😀', '\ud800', 'é ', '# ', '\n\n  '),
        fc.constantFrom('', '\r\n\r\n', '\r', ' 漢字', '😀\u0000', '\udc00', '  \t', '\u2028'),
      ),
      { maxLength: 4 },
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((content) => {
    const out = new TextWriter(1_000_000);
    const marks: { mark: string; page: number }[] = [];
    for (const [page, blocks] of content.entries()) {
      out.page();
      for (const [before, after] of blocks) {
        const mark = `mark${marks.length}.`;
        marks.push({ mark, page: page + 1 });
        out.block(before + mark + after);
      }
    }
    return { written: out.finish(), marks };
  });
