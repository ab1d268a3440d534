import assert from 'node:assert/strict';
import { extract } from '../../plugins/extract-text/extract.js';
import { extractHere, fixture } from './support/extracted.js';
import { annotatedPdf, doublingPdf, pdf, stream, textPdf } from './support/pdf.js';

/** Reads a PDF in this process, as a child does with one after the other. */
async function read(bytes: Buffer): Promise<{ text: string; title: string | null; pages: number | null }> {
  const source = {
    sizeBytes: bytes.length,
    read: (position: number, length: number) => bytes.subarray(position, position + length),
  };
  const { text, metadata } = await extract(
    { source, name: 'a.pdf', mediaType: null, maxUnpackedBytes: 0, mainContent: 'never', progress() {} },
    33_554_432,
  );
  return { text, title: metadata.title, pages: metadata.page_count };
}

describe('extract-text on PDF', () => {
  it('keeps a line together if a character is raised', async () => {
    const { text } = await read(
      textPdf('(Area 5 m) Tj 0.5 Ts 7 0 0 7 121 720 Tm (2) Tj 0 Ts 12 0 0 12 125 720 Tm (, as built.) Tj'),
    );
    assert.equal(text, 'Area 5 m2, as built.');
  });

  it('keeps the hyphen of a word divided at a line end', async () => {
    const { text } = await read(textPdf('1.2 TL (The archive keeps re-) Tj T* (cords of all rivers.) Tj'));
    assert.equal(text, 'The archive keeps re-\ncords of all rivers.');
  });

  it('separates paragraphs and headings with an empty line', async () => {
    const { text } = await read(
      textPdf(
        '18 0 0 18 72 720 Tm (Gauges) Tj 12 0 0 12 72 700 Tm 1.2 TL (One.) Tj T* (Two.) Tj T* T* (Three.) Tj',
      ),
    );
    assert.equal(text, 'Gauges\n\nOne.\nTwo.\n\nThree.');
  });

  for (const [quarters, matrix] of [
    [1, '0 1 -1 0 100 80'],
    [2, '-1 0 0 -1 500 80'],
    [3, '0 -1 1 0 500 700'],
  ] as const) {
    for (const rotation of [0, 90, 180, 270]) {
      it(`reads text turned by ${quarters * 90}° on a page with /Rotate ${rotation}`, async () => {
        const lines = '(One and) Tj T* (two.) Tj T* T* (Three) Tj 3 Ts (2) Tj 0 Ts (.) Tj';
        const { text } = await read(
          textPdf(
            `12 0 0 12 0 0 Tm ET q ${matrix} cm BT /F 12 Tf 14 TL ${lines} ET Q BT`,
            undefined,
            rotation,
          ),
        );
        assert.equal(text, 'One and\ntwo.\n\nThree2.');
      });
    }
  }

  it('reads upright text on a page with /Rotate 90', async () => {
    const { text } = await read(textPdf('1.2 TL (One) Tj T* (two) Tj T* T* (Three) Tj', undefined, 90));
    assert.equal(text, 'One\ntwo\n\nThree');
  });

  it('reads characters beyond the basic plane', async () => {
    const map =
      'begincmap 1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfchar <41> <d83dde00> endbfchar endcmap';
    const { text } = await read(textPdf('1.2 TL (AAAA) Tj T* (BBBB) Tj', stream(Buffer.from(map))));
    assert.match(text, /^😀😀😀😀\n/);
  });

  for (const [direction, operators] of [
    ['left to right', '(DCBA) Tj'],
    ['right to left', '[(A) 1300 (B) 1300 (C) 1300 (D)] TJ'],
  ] as const) {
    it(`reads a Hebrew word that is drawn from ${direction}`, async () => {
      const map =
        'begincmap 1 begincodespacerange <00> <ff> endcodespacerange 4 beginbfchar <41> <05e9> <42> <05dc> <43> <05d5> <44> <05dd> endbfchar endcmap';
      const { text } = await read(textPdf(operators, stream(Buffer.from(map))));
      assert.equal(text, 'שלום');
    });
  }

  it('writes the filled fields of a page after its text', async () => {
    const widget = (entries: string): string => `/Subtype /Widget ${entries}`;
    const { text } = await read(
      annotatedPdf(
        [
          widget('/FT /Tx /T (name) /TU (Full name) /V (Erika Mustermann)'),
          widget('/FT /Tx /T (city) /V <feff005a00fc0072006900630068>'),
          widget('/FT /Tx /T (street)'),
          widget('/Parent 6 0 R /FT /Tx /T (name) /V (Bank)'),
          widget('/FT /Btn /T (agreed) /AS /Yes'),
          widget('/FT /Btn /T (declined) /AS /Off'),
          widget('/Parent 7 0 R /AS /Off'),
          widget('/Parent 7 0 R /AS /1'),
          widget('/FT /Btn /Ff 65536 /T (send) /V (Send) /AS /Yes'),
          widget('/FT /Ch /T (colours) /Ff 2097152 /Opt [(Red) [(g) (Green)] (Blue)] /V [(Red) (g)]'),
          widget('/FT /Tx /Ff 8192 /T (password) /V (secret)'),
          widget('/F 2 /FT /Tx /T (hidden) /V (secret)'),
        ],
        [
          '<< /T (payer) /Kids [11 0 R] >>',
          '<< /FT /Btn /Ff 49152 /T (size) /V /1 /Opt [(Small) (Large)] /Kids [14 0 R 15 0 R] >>',
        ],
      ),
    );
    assert.equal(
      text,
      'Form\n\nFull name: Erika Mustermann\ncity: Zürich\npayer.name: Bank\nagreed: Yes\nsize: Large\n' +
        'colours: Red, Green',
    );
  });

  it('writes free text and comments after the text of a page', async () => {
    const { text } = await read(
      annotatedPdf([
        '/Subtype /Text /Contents (Check this)',
        '/Subtype /Popup /Contents (Popup)',
        '/Subtype /FreeText /Contents (Approved)',
        '/Subtype /Widget /FT /Tx /T (city) /V (Bern)',
        '/Subtype /Link /Contents (Link)',
        '/Subtype /Highlight /Contents (Important)',
        '/Subtype /Stamp /F 2 /Contents (Hidden)',
        '/Subtype /Underline',
      ]),
    );
    assert.equal(text, 'Form\n\nComment: Check this\n\nApproved\n\ncity: Bern\n\nComment: Important');
  });

  it('takes no placeholder for a title or an author', async () => {
    const found = async (title: string, author: string): Promise<unknown> => {
      const { metadata } = await extractHere({
        source: pdf(
          [
            '<< /Type /Catalog /Pages 2 0 R >>',
            '<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 612 792] >>',
            '<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>',
            stream(Buffer.from('BT /F 12 Tf 72 720 Td (Report) Tj ET')),
            '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
            `<< /Title (${title}) /Author (${author}) >>`,
          ],
          '/Info 6 0 R',
        ),
      });
      return [metadata.title, metadata.author];
    };
    assert.deepEqual(await found('untitled', 'anonymous'), [null, null]);
    assert.deepEqual(await found('\\(anonymous\\)', '\\(anonymous\\)'), [null, null]);
    assert.deepEqual(await found('Untitled Works', 'Anonymous'), ['Untitled Works', 'Anonymous']);
  });

  it('rejects a file that lacks some of its pages', async () => {
    const lacking = pdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R 9 0 R] /Count 2 /MediaBox [0 0 612 792] >>',
      '<< /Type /Page /Parent 2 0 R >>',
    ]);
    await assert.rejects(read(lacking), /Page 2 is damaged/);
  });

  it('reads a PDF the same, whatever was read before it', async () => {
    const [letter, handbook] = [fixture('letter.pdf'), fixture('handbook.pdf')];
    const first = { letter: await read(letter), handbook: await read(handbook) };
    const failing = [
      { bytes: fixture('locked.pdf'), message: /protected by a password/ },
      { bytes: handbook.subarray(0, 70_000), message: /damaged/ },
      { bytes: fixture('scan.pdf'), message: /scanned/ },
      { bytes: Buffer.from('%PDF-1.7\ntrailer << /Root 1 0 R >>'), message: /damaged/ },
    ];
    for (const { bytes, message } of failing) {
      await assert.rejects(read(bytes), message);
      assert.deepEqual(await read(letter), first.letter);
    }
    await read(fixture('owner-locked.pdf'));
    assert.deepEqual(await read(letter), first.letter);
    assert.deepEqual(await read(handbook), first.handbook);
  });

  it('continues after a PDF that exceeded the memory limit', async () => {
    const first = await read(fixture('letter.pdf'));
    await assert.rejects(read(markedPdf(24_000)), /out of memory/);
    assert.deepEqual(await read(fixture('letter.pdf')), first);
  });

  it('releases the memory of a PDF that needed much', async () => {
    const first = await read(fixture('letter.pdf'));
    const before = process.memoryUsage().rss;
    for (let round = 0; round < 5; round++) await read(doublingPdf(14));
    assert.deepEqual(await read(fixture('letter.pdf')), first);
    const grown = process.memoryUsage().rss - before;
    assert(grown < 512 * 1024 * 1024, `it holds ${grown} bytes more`);
  });
});

/** Marks that are never closed: PDFium copies all that are open for each text. */
function markedPdf(marks: number): Buffer {
  return textPdf('/Span << /ActualText (abc) >> BDC (x) Tj '.repeat(marks));
}
