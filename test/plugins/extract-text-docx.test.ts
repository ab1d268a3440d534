import assert from 'node:assert/strict';
import { extractHere, fixture, lines } from './support/extracted.js';
import { zip, zipEntry } from './support/zip.js';

const office = 'http://schemas.openxmlformats.org';
const w = `xmlns:w="${office}/wordprocessingml/2006/main" xmlns:r="${office}/officeDocument/2006/relationships"`;

type Parts = Readonly<Record<string, string | Buffer>>;

/** A DOCX file of this body, with further parts. */
function docx(body: string, parts: Parts = {}): Buffer {
  const all: Parts = {
    '[Content_Types].xml': '<Types/>',
    'word/document.xml': `<w:document ${w}><w:body>${body}</w:body></w:document>`,
    ...parts,
  };
  return zip(Object.entries(all).map(([name, content]) => zipEntry(name, content)));
}

async function textOf(body: string, parts: Parts = {}): Promise<string> {
  return (await extractHere({ source: docx(body, parts), name: 'a.docx' })).text;
}

const p = (content: string, properties = ''): string => `<w:p><w:pPr>${properties}</w:pPr>${content}</w:p>`;
const r = (text: string, properties = ''): string =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
const links = (targets: Readonly<Record<string, string>>): string =>
  `<Relationships>${Object.entries(targets)
    .map(
      ([id, target]) =>
        `<Relationship Id="${id}" Type="${office}/x/hyperlink" Target="${target}" TargetMode="External"/>`,
    )
    .join('')}</Relationships>`;
const field = (instruction: string, result: string): string =>
  `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>${instruction}</w:instrText></w:r>` +
  `<w:r><w:fldChar w:fldCharType="separate"/></w:r>${r(result)}<w:r><w:fldChar w:fldCharType="end"/></w:r>`;

describe('extract-text on DOCX', () => {
  it('joins runs with the same formatting, and marks bold, italic and struck text', async () => {
    const text = await textOf(
      p(
        r('A ') +
          r('bold', '<w:b/>') +
          r('er', '<w:b/>') +
          r(' day ', '<w:b w:val="0"/>') +
          r('was', '<w:i/><w:strike/>'),
      ) +
        p(
          r('name_') +
            r('of_it') +
            r(' H') +
            r('2', '<w:vertAlign w:val="subscript"/>') +
            r('O 10') +
            r('6', '<w:vertAlign w:val="superscript"/>'),
        ),
    );
    assert.equal(text, 'A **bolder** day _~~was~~_\n\nname_of_it H2O 10^6');
  });

  it('leaves out what was deleted and keeps what was inserted', async () => {
    const text = await textOf(
      p(`${r('kept ')}<w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:ins>${r('new')}</w:ins>`) +
        p(r('One '), '<w:rPr><w:del/></w:rPr>') +
        p(r('paragraph.')) +
        `<w:moveFrom>${p(r('moved'))}</w:moveFrom>`,
    );
    assert.equal(text, 'kept new\n\nOne paragraph.');
  });

  it('writes links from relationships, bookmarks and fields', async () => {
    const text = await textOf(
      p(
        `<w:hyperlink r:id="a">${r('site')}</w:hyperlink> <w:hyperlink r:id="a" w:anchor="x">${r(' part')}</w:hyperlink>`,
      ) +
        p(`<w:hyperlink w:anchor="below">${r('below')}</w:hyperlink>`) +
        p(field(' HYPERLINK "https://example.org/b" \\l "c" ', 'field')) +
        p(`Page <w:fldSimple w:instr="PAGE">${r('7')}</w:fldSimple>`),
      { 'word/_rels/document.xml.rels': links({ a: 'https://example.org/a#top' }) },
    );
    assert.equal(
      text,
      lines(
        '[site](https://example.org/a#top) [part](https://example.org/a#x)',
        '',
        '[below](#below)',
        '',
        '[field](https://example.org/b#c)',
        '',
        '7',
      ),
    );
  });

  it('omits what the instruction of a field contains, such as the result of another field', async () => {
    const mark = (type: string): string => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
    const instruction = (text: string): string => `<w:r><w:instrText>${text}</w:instrText></w:r>`;
    const text = await textOf(
      p(
        r('Dear ') +
          mark('begin') +
          instruction(' IF ') +
          field(' MERGEFIELD x ', 'not shown') +
          '<w:r><w:tab/><w:sym w:font="Wingdings" w:char="F0FC"/><w:br/><w:footnoteReference w:id="1"/></w:r>' +
          `<m:oMath xmlns:m="m"><m:r><m:t>x</m:t></m:r></m:oMath><w:r><w:pict><v:textbox>${p(r('box'))}</v:textbox></w:pict></w:r>` +
          instruction(' = 1 "a" "b" ') +
          mark('separate') +
          r('b') +
          mark('end') +
          r(',') +
          mark('begin'),
      ) + p(r('behind a field without end.')),
    );
    assert.equal(text, 'Dear b,\n\nbehind a field without end.');
  });

  it('writes lists by their numbering, and headings by the names of their styles', async () => {
    const list = (level: number, number: number): string =>
      `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${number}"/></w:numPr>`;
    const level = (index: number, format: string): string =>
      `<w:lvl w:ilvl="${index}"><w:start w:val="1"/><w:numFmt w:val="${format}"/></w:lvl>`;
    const text = await textOf(
      p(r('Title'), '<w:pStyle w:val="berschrift2"/>') +
        p(r('one'), list(0, 1)) +
        p(r('inner'), list(1, 1)) +
        p('') +
        p(r('two'), list(0, 1)) +
        p(r('point'), list(0, 2)),
      {
        'word/styles.xml': `<w:styles ${w}><w:style w:type="paragraph" w:styleId="berschrift2"><w:name w:val="heading 2"/></w:style></w:styles>`,
        'word/numbering.xml':
          `<w:numbering ${w}><w:abstractNum w:abstractNumId="5">${level(0, 'decimal')}${level(1, 'bullet')}</w:abstractNum>` +
          `<w:abstractNum w:abstractNumId="6">${level(0, 'bullet')}</w:abstractNum>` +
          '<w:num w:numId="1"><w:abstractNumId w:val="5"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="6"/></w:num></w:numbering>',
      },
    );
    assert.equal(text, lines('## Title', '', '1. one', '   - inner', '2. two', '', '- point'));
  });

  it('counts the items of a list as Word does: across other text, below each level, and where it restarts', async () => {
    const item = (text: string, level: number, number: number): string =>
      p(text && r(text), `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${number}"/></w:numPr>`);
    const start = (value: number): string => `<w:start w:val="${value}"/>`;
    const num = (id: number, overrides = ''): string =>
      `<w:num w:numId="${id}"><w:abstractNumId w:val="0"/>${overrides}</w:num>`;
    const text = await textOf(
      item('three', 0, 1) +
        p(r('Note.')) +
        item('four', 0, 1) +
        item('four one', 1, 1) +
        item('', 1, 1) +
        `<w:tbl><w:tr><w:tc>${item('five', 0, 1)}</w:tc><w:tc>${item('five one', 1, 1)}</w:tc></w:tr></w:tbl>` +
        item('six', 0, 1) +
        item('six one and two', 2, 1) +
        item('six two', 1, 1) +
        p(r('Again.')) +
        item('seven', 0, 2) +
        item('eight', 0, 2) +
        item('nine', 0, 1) +
        item('zero', 3, 1),
      {
        'word/numbering.xml':
          `<w:numbering ${w}><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0">${start(3)}</w:lvl><w:lvl w:ilvl="1">${start(1)}</w:lvl>` +
          `<w:lvl w:ilvl="2">${start(2)}</w:lvl><w:lvl w:ilvl="3"/></w:abstractNum>${num(1)}` +
          `${num(2, '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride>')}</w:numbering>`,
      },
    );
    assert.equal(
      text,
      lines(
        ...['3. three', '', 'Note.', '', '4. four', '   1. four one', ''],
        ...['| five | five one |', '| --- | --- |', ''],
        ...['6. six', '   - 2. six one and two', '   2. six two', ''],
        ...['Again.', '', '7. seven', '8. eight', '9. nine', '   - - 0. zero'],
      ),
    );
  });

  it('counts a paragraph in the list of its style, or in another one that it names, or in none', async () => {
    const item = (text: string, numbering?: number): string =>
      p(
        r(text),
        '<w:pStyle w:val="L"/>' +
          (numbering === undefined ? '' : `<w:numPr><w:numId w:val="${numbering}"/></w:numPr>`),
      );
    const level = (index: number, style: string): string =>
      `<w:lvl w:ilvl="${index}"><w:start w:val="1"/>${style}</w:lvl>`;
    const text = await textOf(
      item('one') + item('two') + item('none', 0) + item('three') + item('anew', 2) + item('next', 2),
      {
        'word/numbering.xml':
          `<w:numbering ${w}><w:abstractNum w:abstractNumId="0">${level(0, '')}${level(1, '<w:pStyle w:val="L"/>')}</w:abstractNum>` +
          '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="0"/>' +
          '<w:lvlOverride w:ilvl="1"><w:startOverride w:val="1"/></w:lvlOverride></w:num></w:numbering>',
      },
    );
    assert.equal(text, lines('- 1. one', '  2. two', '', 'none', '', '- 3. three', '  1. anew', '  2. next'));
  });

  it('takes a paragraph for a heading if its style is based on one, or has an outline level', async () => {
    const style = (id: string, base: string, outline = ''): string =>
      `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${id}"/><w:basedOn w:val="${base}"/>` +
      `<w:pPr>${outline && `<w:outlineLvl w:val="${outline}"/>`}</w:pPr></w:style>`;
    const styles = [
      style('Chapter', 'Numbered'),
      style('Numbered', 'h2'),
      style('Part', '', '2'),
      style('Contents', 'Chapter', '9'),
      style('One', 'Other'),
      style('Other', 'One'),
      style('Subtitle', 'Heading'),
      style('Heading', ''),
    ];
    const styled = (id: string, properties = ''): string =>
      p(r(id), `<w:pStyle w:val="${id}"/>${properties}`);
    const cells = ['Chapter', 'Part'].map((id) => `<w:tc>${styled(id)}</w:tc>`);
    const text = await textOf(
      ['Chapter', 'Part', 'Contents', 'One', 'Subtitle', 'Heading'].map((id) => styled(id)).join('') +
        styled('Chapter', '<w:outlineLvl w:val="9"/>') +
        `<w:tbl><w:tr>${cells.join('')}</w:tr></w:tbl>`,
      {
        'word/styles.xml': `<w:styles ${w}><w:style w:type="paragraph" w:styleId="h2"><w:name w:val="heading 2"/></w:style>${styles.join('')}</w:styles>`,
      },
    );
    assert.equal(
      text,
      lines(
        ...['## Chapter', '', '### Part', '', 'Contents', '', 'One', '', 'Subtitle', '', '# Heading', ''],
        ...['Chapter', '', '| Chapter | Part |', '| --- | --- |'],
      ),
    );
  });

  it('takes a paragraph with an outline level for a heading, except in a table', async () => {
    const level = (value: number): string => `<w:outlineLvl w:val="${value}"/>`;
    const cell = (text: string): string => `<w:tc>${p(r(text), level(0))}</w:tc>`;
    const text = await textOf(
      p(r('First'), level(0)) +
        p(r('Second'), level(1)) +
        p(r('Body'), level(9)) +
        `<w:tbl><w:tr>${cell('a')}${cell('b')}</w:tr></w:tbl>`,
    );
    assert.equal(text, lines('# First', '', '## Second', '', 'Body', '', '| a | b |', '| --- | --- |'));
  });

  it('writes paragraphs in a style for code as one code block, except in a table', async () => {
    const code = (text: string): string => p(text === '' ? '' : r(text), '<w:pStyle w:val="C"/>');
    const text = await textOf(
      p(r('Run this:')) +
        code('# no heading') +
        code('if x:') +
        code('') +
        p(`${r('    f(*_a_)', '<w:b/>')}<w:r><w:br/></w:r>${r('  end')}`, '<w:pStyle w:val="C"/>') +
        p(r('Done.')) +
        code('') +
        `<w:tbl><w:tr><w:tc>${code('a')}</w:tc><w:tc>${code('b')}</w:tc></w:tr></w:tbl>`,
      {
        'word/styles.xml': `<w:styles ${w}><w:style w:type="paragraph" w:styleId="C"><w:name w:val="Source Code"/></w:style></w:styles>`,
      },
    );
    const block = ['```', '# no heading', 'if x:', '', '    f(*_a_)', '  end', '```'];
    assert.equal(text, lines('Run this:', '', ...block, '', 'Done.', '', '| a | b |', '| --- | --- |'));
  });

  it('keeps the columns of a table with merged and missing cells, and omits deleted rows', async () => {
    const tc = (text: string, properties = ''): string =>
      `<w:tc><w:tcPr>${properties}</w:tcPr>${p(r(text))}</w:tc>`;
    const tr = (...cells: string[]): string => `<w:tr>${cells.join('')}</w:tr>`;
    const wide = (columns: number): string => `<w:gridSpan w:val="${columns}"/>`;
    const text = await textOf(
      `<w:tbl>${tr(tc('Region'), tc('Quarter', wide(3)), tc('Sales'))}` +
        tr(tc('North', '<w:vMerge w:val="restart"/>'), tc('Q1', wide(3)), tc('100')) +
        tr(tc('covered', '<w:vMerge/>'), tc('Q2', wide(3)), tc('200')) +
        tr(tc('Both', wide(4)), tc('300')) +
        tr('<w:trPr><w:gridBefore w:val="4"/></w:trPr>', tc('600')) +
        `<w:tr><w:trPr><w:del/></w:trPr>${tc('x')}${tc('y')}${tc('z')}</w:tr></w:tbl>`,
    );
    assert.equal(
      text,
      lines(
        '| Region | Quarter | Sales |',
        '| --- | --- | --- |',
        '| North | Q1 | 100 |',
        '|  | Q2 | 200 |',
        '| Both |  | 300 |',
        '|  |  | 600 |',
      ),
    );
  });

  it('writes notes at the end, each once', async () => {
    const reference = (id: number): string => `<w:r><w:footnoteReference w:id="${id}"/></w:r>`;
    const text = await textOf(
      p(r('One') + reference(4) + r(', two') + reference(3) + r(', again') + reference(4)),
      {
        'word/footnotes.xml':
          `<w:footnotes ${w}><w:footnote w:type="separator" w:id="0">${p(r('-'))}</w:footnote>` +
          `<w:footnote w:id="3">${p(r('Third.'))}</w:footnote><w:footnote w:id="4">${p(r('Fourth.'))}</w:footnote></w:footnotes>`,
      },
    );
    assert.equal(
      text,
      lines(
        'One[[1]](#footnote-4), two[[2]](#footnote-3), again[[1]](#footnote-4)',
        '',
        '1. Fourth. [↑](#footnote-ref-4)',
        '2. Third. [↑](#footnote-ref-3)',
      ),
    );
  });

  it('writes text boxes after their paragraph, the alternative text of pictures, and symbols', async () => {
    const box = `<w:r><mc:AlternateContent xmlns:mc="mc"><mc:Choice>${p(r('once'))}</mc:Choice><mc:Fallback><w:pict><v:shape xmlns:v="v"><v:textbox><w:txbxContent>${p(r('In the box'))}</w:txbxContent></v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r>`;
    const picture =
      '<w:r><w:drawing><wp:inline xmlns:wp="wp"><wp:docPr descr="A gauge"/><a:graphic xmlns:a="a"><a:blip r:embed="i"/></a:graphic></wp:inline></w:drawing></w:r>';
    const text = await textOf(
      p(r('Before ') + box + r('and after.')) +
        p(picture) +
        p(
          '<w:r><w:sym w:font="Wingdings" w:char="F0FC"/><w:sym w:font="MS Gothic" w:char="2612"/>' +
            '<w:sym w:font="Own" w:char="F0FC"/><w:sym w:font="Own" w:char="00FC"/></w:r>',
        ),
    );
    assert.equal(text, 'Before and after.\n\nIn the box\n\nA gauge\n\n✓☒');
  });

  it('keeps the text of every old shape, and words apart that are on both sides of a break or a tab', async () => {
    const old = (shape: string, content: string): string =>
      `<w:r><w:pict><v:${shape}>${content}</v:${shape}></w:pict></w:r>`;
    const box = (text: string): string =>
      `<v:textbox><w:txbxContent>${p(r(text))}</w:txbxContent></v:textbox>`;
    const text = await textOf(
      p(`${r('left')}<w:r><w:ptab/></w:r>${r('right')}<w:r><w:br w:type="page"/></w:r>${r('next')}`) +
        p('<w:r><w:br w:type="page"/></w:r>', '<w:outlineLvl w:val="0"/>') +
        p(r('end') + old('oval', box('round')) + old('arc', box('bent'))) +
        p(old('shape', '<v:textpath string="wavy"/>')),
    );
    assert.equal(text, 'left right  \nnext\n\nend\n\nround\n\nbent\n\nwavy');
  });

  it('writes a text box once, whether it is in a shape, in its fallback, or in both', async () => {
    const content = (text: string): string => `<w:txbxContent>${text}</w:txbxContent>`;
    const picture = '<a:blip xmlns:a="a" r:embed="i"/>';
    const shape = (box: string): string =>
      `<w:drawing><wp:anchor xmlns:wp="wp"><wp:docPr descr="Shape"/><wps:wsp xmlns:wps="wps"><wps:txbx>${box}</wps:txbx></wps:wsp></wp:anchor></w:drawing>`;
    const vml = (box: string, image = ''): string =>
      `<w:pict><v:shape xmlns:v="v">${image}<v:textbox>${box}</v:textbox></v:shape></w:pict>`;
    const either = (choice: string, fallback: string): string =>
      `<mc:AlternateContent xmlns:mc="mc"><mc:Choice>${choice}</mc:Choice><mc:Fallback>${fallback}</mc:Fallback></mc:AlternateContent>`;
    const run = (of: string): string => `<w:r>${of}</w:r>`;
    const both = (text: string): string => either(shape(content(p(r(text)))), vml(content(p(r(text)))));
    const inline = `<w:drawing><wp:inline xmlns:wp="wp"><wp:docPr descr="A gauge"/>${picture}</wp:inline></w:drawing>`;
    const text = await textOf(
      p(r('One ') + run(shape(content(p(r('plain')) + p(run(inline))))) + r('line')) +
        p(r('Two') + run(either(shape(content(p(r('with a picture')))), inline))) +
        p(r('Three') + run(both('written twice'))) +
        p(
          r('Four') +
            run(either(shape(content(p(r('outer') + run(both('inner'))))), vml(content(p(r('outer')))))),
        ) +
        p(r('Five') + run(either(inline, vml(content(p(r('only VML'))))))) +
        p(
          r('Six') +
            run(
              either(
                shape(content(p(r('in a group')))),
                vml(content(p(r('in a group'))), '<v:imagedata r:id="i" title="A logo"/>'),
              ),
            ),
        ),
    );
    assert.equal(
      text,
      lines(
        ...['One line', '', 'plain', '', 'A gauge', ''],
        ...['Two A gauge', '', 'with a picture', ''],
        ...['Three', '', 'written twice', ''],
        ...['Four', '', 'outer', '', 'inner', ''],
        ...['Five', '', 'only VML', ''],
        ...['Six', '', 'in a group', '', 'A logo'],
      ),
    );
  });

  it('reads a file with zeros or a line end after its end, and says that half a file is incomplete', async () => {
    const source = fixture('minutes.docx');
    for (const rest of [Buffer.alloc(1000), Buffer.from('\n')]) {
      const { text } = await extractHere({ name: 'a.docx', source: Buffer.concat([source, rest]) });
      assert.match(text, /^# Minutes of the board/);
    }
    await assert.rejects(extractHere({ name: 'a.docx', source: source.subarray(0, source.length / 2) }), {
      code: 'UNREADABLE_FILE',
      message: 'The file is damaged or incomplete: its list of parts is unreadable',
    });
  });

  it('is not confused by elements and attributes named like object properties', async () => {
    const text = await textOf(
      p(
        `<w:constructor/><w:__proto__ w:val="1"><w:toString/></w:__proto__>${r('safe')}`,
        '<w:pStyle w:val="__proto__"/>',
      ) + p(`<w:hyperlink r:id="constructor" __proto__="x">${r('link')}</w:hyperlink>`),
    );
    assert.equal(text, 'safe\n\nlink');
  });

  it('writes formulas in one line', async () => {
    const m = (name: string, content: string): string => `<m:${name}>${content}</m:${name}>`;
    const t = (text: string): string => m('r', m('t', text));
    const e = (text: string): string => m('e', t(text));
    const of = (formula: string): Promise<string> => textOf(p(r('So ') + m('oMath', formula) + r(' holds.')));
    const square = m('sSup', e('b') + m('sup', t('2')));
    const root = m(
      'rad',
      `${m('radPr', '<m:degHide m:val="1"/>')}${m('deg', '')}${m('e', square + t('-4ac'))}`,
    );
    assert.equal(
      await of(m('f', m('num', t('-b±') + root) + m('den', t('2a')))),
      'So (-b±√(b^2-4ac))/(2a) holds.',
    );
    const half = m('f', m('num', t('1')) + m('den', t('2')));
    const log = m('sSub', e('a') + m('sub', t('2')));
    assert.equal(await of(t('2') + half + t('x=') + log + t('8')), 'So 2 1/2 x=a_2 8 holds.');
    const sum = m('naryPr', '<m:chr m:val="∑"/>') + m('sub', t('i=1')) + m('sup', t('n')) + e('i');
    assert.equal(await of(m('nary', sum)), 'So ∑\\_(i=1)^n i holds.');
    const rows = m('m', m('mr', e('1') + e('2')) + m('mr', e('3') + e('4')));
    assert.equal(
      await of(m('d', `${m('dPr', '<m:begChr m:val="["/><m:endChr m:val="]"/>')}${m('e', rows)}`)),
      'So [1, 2; 3, 4] holds.',
    );
    const limit = m('limLow', e('lim') + m('lim', t('x→0')));
    assert.equal(
      await of(m('func', m('fName', limit) + m('e', m('sSub', e('a') + m('sub', t('x')))))),
      'So lim\\_(x→0) a_x holds.',
    );
  });

  it('writes charts and diagrams after the paragraph that they are anchored in', async () => {
    const drawn = (content: string): string =>
      `<w:r><w:drawing><wp:inline><wp:docPr id="1" name="x"/><a:graphic><a:graphicData>${content}</a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`;
    const cache = (kind: string, format: string, ...values: string[]): string =>
      `<c:${kind}Cache>${format}${values.map((value, index) => `<c:pt idx="${index}"><c:v>${value}</c:v></c:pt>`).join('')}</c:${kind}Cache>`;
    const days = cache('num', '<c:formatCode>d/m/yyyy</c:formatCode>', '45292', '45293');
    const values = cache('num', '<c:formatCode>General</c:formatCode>', '4.4000000000000004', '2');
    const text = await textOf(
      p(r('Sales') + drawn('<c:chart r:id="c"/>') + r(' by day')) +
        p(drawn('<dgm:relIds r:dm="d"/>')) +
        p(drawn('<c:chart r:id="c"/>')),
      {
        'word/_rels/document.xml.rels': `<r><Relationship Id="c" Type="${office}/x/chart" Target="charts/chart1.xml"/><Relationship Id="d" Type="${office}/x/diagramData" Target="diagrams/data1.xml"/></r>`,
        'word/charts/chart1.xml': `<c:chart><c:title><a:t>Parcels</a:t></c:title><c:ser><c:tx>${cache('str', '', '2024')}</c:tx><c:cat>${days}</c:cat><c:val>${values}</c:val></c:ser></c:chart>`,
        'word/diagrams/data1.xml':
          '<d:dataModel><d:pt><a:t>Collect</a:t></d:pt><d:pt><a:t>Sort</a:t></d:pt></d:dataModel>',
      },
    );
    assert.equal(
      text,
      lines(
        'Sales by day',
        '',
        'Parcels',
        '',
        '|  | 2024 |',
        '| --- | --- |',
        '| 2024-01-01 | 4.4 |',
        '| 2024-01-02 | 2 |',
        '',
        '- Collect',
        '- Sort',
      ),
    );
  });

  it('writes chunks in other formats where they are, each once, without those that cannot be read', async () => {
    const chunk = (target: string): string => `<w:altChunk r:id="${target}"/>`;
    const chunks = (...targets: string[]): string =>
      `<r>${targets.map((target) => `<Relationship Id="${target}" Type="${office}/x/aFChunk" Target="${target}"/>`).join('')}</r>`;
    const mime = (type: string, encoding: string, body: string): string =>
      `Content-Type: ${type}\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${body}\r\n`;
    const mht = (...parts: string[]): string =>
      `MIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n\tboundary="=_b"\r\n\r\nA message.\r\n${parts.map((part) => `--=_b\r\n${part}`).join('')}--=_b--\r\n`;
    const quoted = '<html><p class=3D"a">Gr=F6=DFe =\r\n2</p></html>';
    const encoded = Buffer.from('<html><p>größer</p></html>').toString('base64');
    const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le');
    const outer = {
      'a.html': '<html><head><title>No</title></head><body><h1>Page</h1><p>of <b>text</b></p></body></html>',
      'b.mht': mht(
        mime('image/png', 'base64', 'iVBORw0KGgo='),
        mime('text/html; charset="windows-1252"', 'quoted-printable', quoted),
      ),
      'c.mht': mht(mime('text/html; charset=utf-8', 'base64', encoded)),
      'd.txt': 'Note: one line\r\n\r\n# another\r\n',
      'e.rtf': '{\\rtf1 no}',
      'g.xlsx': fixture('stock.xlsx'),
      'h.docx': fixture('minutes.docx').subarray(0, 2000),
      'i.html': Buffer.concat([Buffer.from(`<html>${'x'.repeat(70_000)}`), Buffer.alloc(20_000)]),
      'j.html': utf16('<html><p>wide<!-- c --!> page</p></html>'),
      'k.mht': `\ufeff\r\n${mht(mime('application/xhtml+xml', '8bit', '<html><title/><p>strict</p></html>'))}`,
      'l.mht': mht(mime('text/plain', '8bit', 'only text')),
      'f.docx': docx(p(r('Inner'), '<w:outlineLvl w:val="1"/>') + chunk('d.txt') + chunk('e.docx'), {
        'word/_rels/document.xml.rels': chunks('d.txt', 'e.docx'),
        'word/d.txt': 'Text in it',
        'word/e.docx': docx(p(r('Too deep'))),
      }),
    };
    const names = Object.keys(outer);
    const parts = Object.entries(outer).map(([name, content]) => [`word/${name}`, content] as const);
    const text = await textOf(p(r('First')) + names.map(chunk).join('') + chunk('a.html') + p(r('Last')), {
      'word/_rels/document.xml.rels': chunks(...names),
      ...Object.fromEntries(parts),
    });
    assert.equal(
      text,
      lines(
        ...['First', '', '# Page', '', 'of **text**', '', 'Größe 2', '', 'größer', ''],
        ...['Note: one line', '', '\\# another', '', 'wide page', '', 'strict', '', 'only text', ''],
        ...['## Inner', '', 'Text in it', '', 'Last'],
      ),
    );
  });
});
