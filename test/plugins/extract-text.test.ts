import assert from 'node:assert/strict';
import iconv from 'iconv-lite';
import { extract, extractFixture, extractHere, extractPage, lines } from './support/extracted.js';
import { bitmapFontPdf } from './support/pdf.js';
import { zip, zipEntry } from './support/zip.js';

/** Returns the text of a workbook with one sheet, with these rows. */
async function textOfSheet(rows: string, parts: Readonly<Record<string, string>> = {}): Promise<string> {
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const all: Record<string, string> = {
    'xl/workbook.xml': `<workbook xmlns:r="${office}"><sheets><sheet name="S" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<r><Relationship Id="r1" Type="${office}/worksheet" Target="s.xml"/></r>`,
    'xl/s.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
    ...parts,
  };
  const source = zip(Object.entries(all).map(([name, content]) => zipEntry(name, content)));
  return (await extractHere({ name: 'a.xlsx', source })).text;
}

/** Returns the text of an ODT file with this body. */
async function textOfOdt(body: string, styles = ''): Promise<string> {
  const parts = {
    mimetype: 'application/vnd.oasis.opendocument.text',
    'content.xml': `<content>${styles}<office:body>${body}</office:body></content>`,
  };
  const source = zip(Object.entries(parts).map(([name, content]) => zipEntry(name, content)));
  return (await extractHere({ name: 'a.odt', source })).text;
}

describe('extract-text', () => {
  it('reads a long PDF page by page, in lines and paragraphs', async () => {
    const { text, metadata, progress } = await extractFixture('handbook.pdf');
    const [heading, first] = text.split('\n\n');
    assert.equal(heading, '1. Intake');
    assert.match(
      first ?? '',
      /^Section 1\.1 applies to file series 101\. Every record .* it is\nplaced on a shelf\. /,
    );
    for (let page = 1; page <= 130; page++)
      assert(text.includes(`Section ${page}.3 applies to file series ${page}03.`));
    const { words, characters, pages, ...known } = metadata;
    assert.equal((pages as unknown[]).length, 130);
    assert.deepEqual(known, {
      format: 'pdf',
      media_type: 'application/pdf',
      text_format: 'plain',
      title: 'Archive Handbook',
      author: 'Records Office',
      language: 'en-GB',
      page_count: 130,
      encoding: null,
      created_at: '2000-01-01T00:00:00.000Z',
      modified_at: '2000-01-01T00:00:00.000Z',
    });
    assert.equal(characters, text.length);
    assert.equal(words, text.split(/\s+/).length);
    assert.deepEqual(progress.at(-1), [1, 'Page 130 of 130']);
  });

  it('reads a PDF that is protected only against changes', async () => {
    const { text, metadata } = await extractFixture('owner-locked.pdf');
    assert.equal(text, 'Dear reader,\n\nthe parcel arrived on Tuesday, in good order.');
    assert.equal(metadata['title'], 'Letter of 3 May');
  });

  it('reads a PDF with a bitmap font', async () => {
    const { text } = await extract({ source: bitmapFontPdf() });
    assert.equal(text, 'AB BA');
  });

  it('reads DOCX as Markdown', async () => {
    const { text, metadata } = await extractFixture('minutes.docx');
    assert.equal(
      text,
      lines(
        '# Minutes of the board',
        '',
        'The board met on 1 March 2024 and approved the **annual budget** without a vote against.',
        '',
        '## Decisions',
        '',
        '- Hire two archivists',
        '- Replace the climate control',
        '',
        '| Item | Owner | Cost \\| EUR |',
        '| --- | --- | --- |',
        '| Shelving | Okafor | 12,400 |',
        '| Scanner | Lindqvist | 8,950 |',
        '',
        'The meeting closed at 17:45. Zażółć gęślą jaźń; 会議は終了しました。 😀',
      ),
    );
    assert.equal(metadata['title'], 'Minutes of the board');
    assert.equal(metadata['author'], 'Ada Okafor');
    assert.equal(metadata['created_at'], '2024-03-01T09:30:00.000Z');
    assert.equal(metadata['characters'], Array.from(text).length);
  });

  it('reads the charts and diagrams of PPTX, and the alternative texts of its pictures', async () => {
    const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
    const related = (id: string, kind: string, target: string): string =>
      `<Relationship Id="${id}" Type="${office}/${kind}" Target="${target}"/>`;
    const cache = (...values: string[]): string =>
      values.map((value, index) => `<c:pt idx="${index}"><c:v>${value}</c:v></c:pt>`).join('');
    const series = (name: string, ...values: string[]): string =>
      `<c:ser><c:tx><c:strRef><c:strCache>${cache(name)}</c:strCache></c:strRef></c:tx>` +
      `<c:cat><c:strCache>${cache('North', 'South')}</c:strCache></c:cat><c:val><c:numCache>${cache(...values)}</c:numCache></c:val></c:ser>`;
    const picture = (described: string): string =>
      `<p:pic><p:nvPicPr><p:cNvPr id="4" name="Picture 3" ${described}/></p:nvPicPr></p:pic>`;
    const parts: Record<string, string> = {
      'ppt/presentation.xml': `<p:presentation xmlns:p="p" xmlns:r="${office}"><p:sldId r:id="r1"/></p:presentation>`,
      'ppt/_rels/presentation.xml.rels': `<r>${related('r1', 'slide', 'slides/slide1.xml')}</r>`,
      'ppt/slides/slide1.xml': `<p:sld xmlns:p="p" xmlns:a="a" xmlns:c="c" xmlns:d="d" xmlns:r="${office}"><c:chart r:id="r1"/><d:relIds r:dm="r2"/>${picture('descr="A van&#10;at night" title="Van"')}${picture('title="Map"')}${picture('')}</p:sld>`,
      'ppt/slides/_rels/slide1.xml.rels': `<r>${related('r1', 'chart', '../charts/chart1.xml')}${related('r2', 'diagramData', '../diagrams/data1.xml')}</r>`,
      'ppt/charts/chart1.xml': `<c:chart xmlns:c="c" xmlns:a="a"><c:title><a:t>Parcels</a:t><a:t> sent</a:t></c:title>${series('2023', '3', '4')}${series('2024', '5')}</c:chart>`,
      'ppt/diagrams/data1.xml':
        '<d:dataModel xmlns:d="d" xmlns:a="a"><d:pt><d:t><a:p><a:r><a:t>Collect</a:t></a:r></a:p></d:t></d:pt><d:pt type="parTrans"/><d:pt><d:t><a:p><a:r><a:t>Sort</a:t></a:r></a:p><a:p><a:r><a:t>by region</a:t></a:r></a:p></d:t></d:pt></d:dataModel>',
    };
    const source = zip(Object.entries(parts).map(([name, content]) => zipEntry(name, content)));
    const { text } = await extract({ name: 'a.pptx', source });
    assert.equal(
      text,
      lines(
        '## Slide 1',
        '',
        'Parcels sent',
        '',
        '|  | 2023 | 2024 |',
        '| --- | --- | --- |',
        '| North | 3 | 5 |',
        '| South | 4 |  |',
        '',
        '- Collect',
        '- Sort by region',
        '',
        'A van at night',
        '',
        'Map',
      ),
    );
  });

  it('reads PPTX slide by slide with notes and tables', async () => {
    const { text, metadata } = await extractFixture('review.pptx');
    assert.equal(
      text,
      lines(
        '## Quarterly review',
        '',
        'January to March',
        '',
        '## What went well',
        '',
        '- Delivery times fell by a third',
        '  - Most in the northern region',
        '- No accident was reported',
        '',
        'Notes: Thank the drivers by name.',
        '',
        '## Numbers',
        '',
        '| Region | Parcels |',
        '| --- | --- |',
        '| North | 41,200 |',
      ),
    );
    assert.equal(metadata['page_count'], 3);
    assert.equal(metadata['author'], 'Ines Duarte');
  });

  it('reads XLSX sheet by sheet with dates, percentages and only the used columns', async () => {
    const { text, metadata } = await extractFixture('stock.xlsx');
    assert.equal(
      text,
      lines(
        '## Stock',
        '',
        '| Article | Count | Share | Counted on | Checked |',
        '| --- | --- | --- | --- | --- |',
        '| Box, acid-free | 1250 | 25% | 2024-02-29 | TRUE |',
        '| Folder \\| A4 | 0.3 | 12.5% | 2024-02-29 13:05:00 | FALSE |',
        '',
        '## Far away',
        '',
        '| first |  |',
        '| --- | --- |',
        '|  | last |',
      ),
    );
    assert.equal(metadata['title'], 'Stock list');
  });

  it('reads the elapsed times of XLSX', async () => {
    const styles =
      '<numFmts><numFmt numFmtId="164" formatCode="[h]:mm:ss;@"/><numFmt numFmtId="165" formatCode="[Red][mm]"/></numFmts>' +
      '<cellXfs><xf numFmtId="164"/><xf numFmtId="46"/><xf numFmtId="165"/><xf numFmtId="45"/></cellXfs>';
    const values = [1.2708333333333333, -0.5, 1 / 1440, 0.5, 3_000_000];
    const cells = values.map((value, at) => `<c s="${at % 4}"><v>${value}</v></c>`);
    const text = await textOfSheet(`<row>${cells.join('')}</row>`, {
      'xl/styles.xml': `<styleSheet>${styles}</styleSheet>`,
    });
    assert.equal(text.split('\n')[2], '| 30:30:00 | -12:00:00 | 0:01:00 | 12:00:00 | 3000000 |');
  });

  it('leaves out how the text of XLSX is pronounced', async () => {
    const text = await textOfSheet(
      '<row><c t="inlineStr"><is><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh><r><t>都</t></r></is></c></row>',
    );
    assert.equal(text.split('\n')[2], '| 東京都 |');
  });

  it('decodes the escapes in strings of XLSX', async () => {
    const written = 'a_x000D_\nb_x0041__xD83D__xDE00_ _x005F_x0041_ _x41_';
    const text = await textOfSheet(
      `<row><c t="inlineStr"><is><t>${written}</t></is></c><c t="str"><v>${written}</v></c><c t="s"><v>0</v></c></row>`,
      { 'xl/sharedStrings.xml': `<sst><si><t>${written}</t></si></sst>` },
    );
    assert.equal(text.split('\n')[2], `|${' a bA😀 _x0041_ _x41_ |'.repeat(3)}`);
  });

  it('reads the Booleans of XLSX in either spelling', async () => {
    const cells = ['1', 'true', '0', 'false'].map((value) => `<c t="b"><v>${value}</v></c>`);
    const text = await textOfSheet(`<row>${cells.join('')}</row>`);
    assert.equal(text.split('\n')[2], '| TRUE | TRUE | FALSE | FALSE |');
  });

  it('finds the texts and styles of XLSX by the relationships, in any case and namespace', async () => {
    const cells = '<row><c t="s"><v>1</v></c><c s="1"><v>45000</v></c><c t="s"/></row>';
    const strings = '<sst><si><t>a</t></si><si><t>Müller</t></si></sst>';
    const styles = '<styleSheet><cellXfs><xf/><xf numFmtId="14"/></cellXfs></styleSheet>';
    const strict = 'http://purl.oclc.org/ooxml/officeDocument/relationships';
    const related = (strings: string, styles: string): string =>
      `<r><Relationship Id="r1" Type="${strict}/worksheet" Target="S.XML"/>` +
      `<Relationship Id="r2" Type="${strict}/sharedStrings" Target="${strings}"/>` +
      `<Relationship Id="r3" Type="${strict}/styles" Target="${styles}"/></r>`;
    const workbooks: readonly Record<string, string>[] = [
      { 'xl/SharedStrings.xml': strings, 'xl/Styles.xml': styles },
      {
        'xl/_rels/workbook.xml.rels': related('/texts/all.xml', 'more/looks.xml'),
        'Texts/all.xml': strings,
        'xl/more/looks.xml': styles,
      },
    ];
    const texts = await Promise.all(workbooks.map((parts) => textOfSheet(cells, parts)));
    assert.deepEqual(texts, Array(2).fill('## S\n\n| Müller | 2023-03-15 |\n| --- | --- |'));
  });

  it('refuses an XLSX file without the texts of its cells', async () => {
    const refused = { code: 'UNREADABLE_FILE', message: /text/ };
    const cell = '<row><c><v>5</v></c><c t="s"><v>1</v></c></row>';
    await assert.rejects(textOfSheet(cell), refused);
    const table = { 'xl/sharedStrings.xml': '<sst><si><t>only</t></si></sst>' };
    await assert.rejects(textOfSheet(cell, table), refused);
  });

  it('reads ODT with lists, tables and notes', async () => {
    const { text, metadata } = await extractFixture('report.odt');
    assert.equal(
      text,
      lines(
        '# Field report',
        '',
        'The river stood at 2.4 m (Measured at the bridge.) in the morning.',
        '',
        '- Two gauges replaced',
        '- One gauge missing',
        '',
        '| Gauge | Level |',
        '| --- | --- |',
        '| Bridge | 2.4 m |',
      ),
    );
    assert.equal(metadata['author'], 'Marit Solberg');
    assert.equal(metadata['language'], 'en-GB');
  });

  it('reads the fields of ODT, and the alternative texts of its pictures', async () => {
    const parts = {
      mimetype: 'application/vnd.oasis.opendocument.text',
      'content.xml':
        '<c><office:body><text:h>On <text:title>Tides</text:title></text:h>' +
        '<text:p>A<draw:frame><svg:title>No</svg:title><draw:image/><svg:desc>deep <text:span>blue</text:span></svg:desc></draw:frame>sea' +
        ' (<draw:frame><draw:image/><svg:desc>map</svg:desc></draw:frame>)' +
        '<draw:frame><draw:object xlink:href="./1"/><draw:image/><svg:desc>1 over 2</svg:desc></draw:frame>' +
        '<draw:frame><draw:object xlink:href="./2"/><draw:image/><svg:desc>chart</svg:desc></draw:frame>' +
        '<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>deep</text:p></text:note-body></text:note>' +
        ' of <text:span><text:subject>salt</text:subject></text:span>.</text:p>' +
        '<draw:frame><draw:image/><svg:title>A gauge</svg:title></draw:frame></office:body></c>',
      '1/content.xml': '<math><mfrac><mn>1</mn><mn>2</mn></mfrac></math>',
    };
    const source = zip(Object.entries(parts).map(([name, content]) => zipEntry(name, content)));
    const { text } = await extract({ name: 'a.odt', source });
    assert.equal(text, '# On Tides\n\nA deep blue sea (map)1/2 chart (deep) of salt.\n\nA gauge');
  });

  it('leaves out how the text of ODT is pronounced, and keeps the words of its comments apart', async () => {
    const ruby = (base: string, text: string): string =>
      `<text:ruby><text:ruby-base>${base}</text:ruby-base><text:ruby-text>${text}</text:ruby-text></text:ruby>`;
    const text = await textOfOdt(
      `<text:p>${ruby('祇', 'ぎ')}${ruby('園', 'おん')}<office:annotation><dc:creator>No</dc:creator>` +
        '<text:p>one<text:line-break/>two<text:tab/>three<text:s/>four</text:p></office:annotation></text:p>',
    );
    assert.equal(text, '祇園\n\nComment: one two three four');
  });

  it('keeps the columns of ODT tables with merged cells', async () => {
    const cell = (text: string): string => `<table:table-cell><text:p>${text}</text:p></table:table-cell>`;
    const row = (...cells: string[]): string => `<table:table-row>${cells.join('')}</table:table-row>`;
    const covered = '<table:covered-table-cell><text:p>hidden</text:p></table:covered-table-cell>';
    const text = await textOfOdt(
      `<table:table>${row(cell('Region'), cell('Quarter'), cell('Day'), cell('Sales'))}` +
        row(cell('North'), cell('Q1'), cell('1'), cell('100')) +
        row(covered, cell('Q2'), cell('2'), cell('200')) +
        row(cell('Both'), '<table:covered-table-cell table:number-columns-repeated="2"/>', cell('300')) +
        '</table:table>',
    );
    assert.equal(
      text,
      lines(
        '| Region | Quarter | Day | Sales |',
        '| --- | --- | --- | --- |',
        '| North | Q1 | 1 | 100 |',
        '|  | Q2 | 2 | 200 |',
        '| Both |  |  | 300 |',
      ),
    );
  });

  it('numbers the lists of ODT', async () => {
    const level = (number: number, type: string): string =>
      `<text:list-level-style-${type} text:level="${number}" style:num-format="1" text:start-value="${number}"/>`;
    const style = (name: string, ...levels: string[]): string =>
      `<text:list-style style:name="${name}">${levels.join('')}</text:list-style>`;
    const item = (content: string, attributes = ''): string =>
      `<text:list-item ${attributes}>${content}</text:list-item>`;
    const p = (text: string): string => `<text:p>${text}</text:p>`;
    const list = (attributes: string, ...items: string[]): string =>
      `<text:list ${attributes}>${items.join('')}</text:list>`;
    const body = [
      list(
        'text:style-name="L1"',
        item(p('One') + p('more') + list('', item(p('Two')), item(p('Three')))),
        item(p('Ten'), 'text:start-value="10"'),
      ),
      p('Between'),
      list(
        'text:style-name="L1" text:continue-numbering="true"',
        item(p('Eleven') + list('text:continue-numbering="true"', item(p('Four')))),
      ),
      list('text:style-name="L1"', item(p('Again'))),
      list('text:style-name="L2"', item(p('Bullet') + list('', item(p('Bullet'))))),
    ];
    const parts = {
      mimetype: 'application/vnd.oasis.opendocument.text',
      'styles.xml': `<styles>${style('L1', level(1, 'number'), level(2, 'number'))}</styles>`,
      'content.xml': `<content>${style('L2', level(1, 'bullet'))}<body>${body.join('')}</body></content>`,
    };
    const source = zip(Object.entries(parts).map(([name, content]) => zipEntry(name, content)));
    const { text } = await extract({ name: 'a.odt', source });
    assert.equal(
      text,
      lines(
        '1. One',
        '   more',
        '   2. Two',
        '   3. Three',
        '10. Ten',
        '',
        'Between',
        '',
        '11. Eleven',
        '    4. Four',
        '',
        '1. Again',
        '',
        '- Bullet',
        '  - Bullet',
      ),
    );
  });

  it('writes the headings and tables in lists of ODT where they are, with the numbers of headings', async () => {
    const list = (content: string): string =>
      `<text:list text:style-name="L" text:continue-numbering="true"><text:list-item>${content}</text:list-item></text:list>`;
    const inner = (content: string): string =>
      `<text:list><text:list-item>${content}</text:list-item></text:list>`;
    const h = (level: number, text: string): string =>
      `<text:h text:outline-level="${level}">${text}</text:h>`;
    const cell = '<table:table-cell><text:p>Cell</text:p></table:table-cell>';
    const table = `<table:table><table:table-row>${cell}${cell}</table:table-row></table:table>`;
    const levels = [1, 2].map(
      (level) =>
        `<text:list-level-style-number text:level="${level}" style:num-format="1" text:display-levels="${level}"/>`,
    );
    const text = await textOfOdt(
      list(h(1, 'Aims')) +
        '<text:p>Why.</text:p>' +
        list(inner(h(2, 'Scope'))) +
        list(inner(h(2, 'Limits'))) +
        list(h(1, 'Methods') + inner(h(2, 'Survey'))) +
        inner(
          `<text:p>Before</text:p>${inner('<text:p>Inside</text:p>' + inner(`<text:p>Deep</text:p>${table}<text:p>After</text:p>`))}`,
        ) +
        inner(`${h(1, 'End')}<text:p>Tail</text:p>${inner('<text:p>Item</text:p>')}`),
      `<text:list-style style:name="L">${levels.join('')}</text:list-style>`,
    );
    assert.equal(
      text,
      lines(
        ...['# 1. Aims', '', 'Why.', '', '## 1.1 Scope', '', '## 1.2 Limits', ''],
        ...['# 2. Methods', '', '## 2.1 Survey', ''],
        ...['- Before', '  - Inside', '    - Deep', '', '| Cell | Cell |', '| --- | --- |', '', 'After', ''],
        ...['# End', '', 'Tail', '- Item'],
      ),
    );
  });

  it('writes the formulas of ODT in one line, each once', async () => {
    const mi = (text: string): string => `<mi>${text}</mi>`;
    const formula =
      `<mfrac><mrow>${mi('a')}<mo>+</mo><mn>12</mn></mrow>${mi('b')}</mfrac><mo>=</mo>` +
      `<mroot><msub>${mi('x')}${mi('max')}</msub><mn>3</mn></mroot><mo>−</mo><msqrt>${mi('sin')}${mi('α')}</msqrt><mo>+</mo>` +
      `<munderover><mo>∑</mo>${mi('i')}${mi('n')}</munderover><msup>${mi('i')}<mn>2</mn></msup>` +
      `<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mtext>if true</mtext></mtd></mtr><mtr><mtd><mn>2</mn></mtd></mtr></mtable>`;
    const frame = (name: string): string => `<draw:frame><draw:object xlink:href="${name}"/></draw:frame>`;
    const parts = {
      mimetype: 'application/vnd.oasis.opendocument.text',
      'content.xml': `<c><body><p>Here ${frame('./Object 1')} and ${frame('./Object 1')}${frame('./Object 2')}.</p></body></c>`,
      'Object 1/content.xml': `<m:math xmlns:m="m"><semantics><mrow>${formula}</mrow><annotation>{a + 12}</annotation></semantics></m:math>`,
      'Object 2/content.xml': '<document-content><body><p>Chart</p></body></document-content>',
    };
    const source = zip(Object.entries(parts).map(([name, content]) => zipEntry(name, content)));
    const { text } = await extract({ name: 'a.odt', source });
    assert.equal(text, 'Here (a+12)/b=√(3&x_(max))−√(sin α)+∑_i^n i^2 1, if true; 2 and .');
  });

  it('reads EPUB in reading order', async () => {
    const { text, metadata } = await extractFixture('tales.epub');
    assert.equal(
      text,
      lines(
        '# The Tide',
        '',
        'The tide came in late & quiet.',
        '',
        'It was _cold_.',
        '',
        '# The Lamp',
        '',
        'The lamp on the pier had not been lit since autumn.',
        '',
        'It was _cold_.',
      ),
    );
    assert.equal(metadata['title'], 'Harbour Tales');
    assert.equal(metadata['author'], 'J. Penhallow');
  });

  it('reads EPUB chapters in any encoding, with CDATA, document types and unescaped names', async () => {
    const chapter = (body: string, encoding = 'utf-8', type = ''): string =>
      `<?xml version="1.0" encoding="${encoding}"?>${type}<html><head><title/></head><body>${body}</body></html>`;
    const type = '<!DOCTYPE html [\n<!ENTITY a "x">\n<!-- it\'s --><!ENTITY b "y">\n] >';
    const chapters = {
      'a.xhtml': Buffer.from(`\ufeff${chapter('<p>Größe</p>', 'utf-16')}`, 'utf16le'),
      'b.xhtml': Buffer.from(`\ufeff${chapter('<p>größer</p>', 'utf-16')}`, 'utf16le').swap16(),
      'c.xhtml': Buffer.from(chapter('<p>am größten</p>', 'ISO-8859-1'), 'latin1'),
      '100%.xhtml': chapter('<p>full</p><!-- <p/> -->', 'utf-8', type),
      'd e.xhtml': chapter(
        '<pre><![CDATA[if (a < b) <p/>]]></pre><p/><p>end</p>',
        'utf-8',
        '<!DOCTYPE html>',
      ),
    };
    const items = ['a.xhtml', 'b.xhtml', 'c.xhtml', '100%.xhtml', 'd%20e.xhtml'].map(
      (href, index) =>
        `<item id="i${index}" href="${href}" media-type="application/xhtml+xml"/><itemref idref="i${index}"/>`,
    );
    const parts = {
      mimetype: 'application/epub+zip',
      'META-INF/container.xml': '<container><rootfile full-path="a.opf"/></container>',
      'a.opf': `<package>${items.join('')}</package>`,
      ...chapters,
    };
    const source = zip(Object.entries(parts).map(([name, content]) => zipEntry(name, content)));
    const { text } = await extract({ name: 'a.epub', source });
    assert.equal(
      text,
      lines(
        'Größe',
        '',
        'größer',
        '',
        'am größten',
        '',
        'full',
        '',
        '```',
        'if (a < b) <p/>',
        '```',
        '',
        'end',
      ),
    );
  });

  it('reads EPUB chapters of every type that has text, and with names that are not marked as UTF-8', async () => {
    const chapters = [
      ['a.htm', 'text/x-oeb1-document', '<html><body><p>Old'],
      ['b.xml', 'application/x-dtbook+xml', '<dtbook><book><h1>Talking</h1></book></dtbook>'],
      ['c.svg', 'image/svg+xml', '<svg><text>Drawn</text></svg>'],
      ['U%CC%88bung.html', 'application/xhtml+xml', '<html><body><p>Name'],
    ];
    const items = chapters.map(
      ([href, type], index) =>
        `<item id="i${index}" href="${href}" media-type="${type}"/><itemref idref="i${index}"/>`,
    );
    const parts: (readonly [string, string])[] = [
      ['mimetype', 'application/epub+zip'],
      ['META-INF/container.xml', '<container><rootfile full-path="a.opf"/></container>'],
      ['a.opf', `<package>${items.join('')}</package>`],
      ...chapters.map(
        ([href = '', , content = '']) => [decodeURIComponent(href).normalize(), content] as const,
      ),
    ];
    const source = zip(parts.map(([name, content]) => zipEntry(name, content)));
    const { text } = await extract({ name: 'a.epub', source });
    assert.equal(text, 'Old\n\n# Talking\n\nDrawn\n\nName');
  });

  it('reads the article of a web page and omits what surrounds it', async () => {
    const { text, metadata } = await extractPage('article.html');
    assert(text.startsWith('# How tide gauges work\n\nBy Rosa Lindgren\n\nA tide gauge measures how high'));
    assert(text.includes('a **stilling well**: a pipe'));
    assert(text.includes('an [optical encoder](https://example.org/encoder).'));
    assert(text.includes('- The hole must be kept free of barnacles.\n- The pipe must stand upright.'));
    assert(text.includes('| Port | Since |\n| --- | --- |\n| Amsterdam | 1700 |\n| Brest | 1807 |'));
    assert.doesNotMatch(text, /cookies|Sign in|kayak|All rights|never be seen|font/);
    assert.equal(metadata['title'], 'How tide gauges work');
    assert.equal(metadata['author'], 'Rosa Lindgren');
    assert.equal(metadata['language'], 'en-GB');
    assert.equal(metadata['created_at'], '2024-02-11T08:00:00.000Z');
  });

  it('reads a page without an article or body tag, in the charset it declares', async () => {
    const page = '<!doctype html><meta charset="Shift_JIS"><title>港</title><p>短い<p>二番目 &amp; 終わり';
    const { text, metadata } = await extract({ source: iconv.encode(page, 'shift_jis') });
    assert.equal(text, '# 港\n\n短い\n\n二番目 & 終わり');
    assert.equal(metadata['encoding'], 'shift_jis');
  });
});
