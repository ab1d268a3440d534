import { annotatedPdf, pdf, stream } from './pdf.js';
import { zip, zipEntry } from './zip.js';

/** Makes a document that grows with `n`, of what a parser may take too long for. */
export type Craft = (n: number) => string | Buffer;

const nested = (open: string, close: string, depth: number, text = 'x'): string =>
  `${open.repeat(depth)}${text}${close.repeat(depth)}`;
const times = (n: number, make: (index: number) => string): string =>
  Array.from({ length: n }, (_, i) => make(i)).join('');

const page = (body: string): string => `<html><body>${body}</body></html>`;
/** About n elements in towers of this depth. */
const towers = (n: number, depth: number, open: string, close: string): string =>
  page(nested(open, close, depth).repeat(Math.ceil(n / depth)));

const html: Record<string, Craft> = {
  'list items': (n) => page(`<ol>${'<li>x'.repeat(n)}</ol>`),
  'nested lists': (n) => towers(n, 400, '<ol><li>x', '</li></ol>'),
  'lists within one item': (n) => page(`<ol><li>${'<ol><li>x</ol>'.repeat(n)}</ol>`),
  'a long list at the bottom': (n) =>
    page(nested('<ul><li>', '</li></ul>', 400, `<ol>${'<li>x'.repeat(n)}</ol>`)),
  'nested divisions': (n) => towers(n, 900, '<div>x', '</div>'),
  'nested quotations': (n) => towers(n, 900, '<blockquote>x', '</blockquote>'),
  'nested tables': (n) => towers(n, 300, '<table><tr><td>x<td>', '</table>'),
  'tables within a table': (n) => page(`<table><tr><td>${'<table><tr><td>a<td>b</table>'.repeat(n)}</table>`),
  'a table of many rows': (n) => page(`<table>${'<tr><td>a<td>b'.repeat(n)}</table>`),
  'a table of headings and code': (n) =>
    page(`<table>${'<tr><td><h1>a</h1><td><pre>b</pre>'.repeat(n)}</table>`),
  'a table of many columns': (n) => page(`<table><tr>${'<td>a'.repeat(n)}<tr><td>b<td>c</table>`),
  'merged cells': (n) => page(`<table>${'<tr><td colspan=1000 rowspan=1000>a<td>b'.repeat(n)}</table>`),
  'nested emphasis': (n) => towers(n, 450, '<b><i>x', '</i></b>'),
  'emphasis that is never closed': (n) => page(`${'<b><i>'.repeat(400)}${'<p>x <u>y</u>'.repeat(n)}`),
  'nested code with a link': (n) => towers(n, 900, '<code>x', '</code>') + '<code><a href=x>y</a></code>',
  'tags that are never opened': (n) => page(`${'<b>'.repeat(900)}${'</i></u>x'.repeat(n)}`),
  'elements without end': (n) => page('<b>'.repeat(n)),
  'drawings without end': (n) => page(`<svg>${'<g>'.repeat(n)}`),
  'fractions within fractions': (n) => towers(n, 450, '<math><mfrac><mn>1</mn>', '</mfrac></math>'),
  'formulas in formulas without tokens': (n) =>
    page('<math>'.repeat(Math.ceil(n / 30)) + '<b></b>'.repeat(n)),
  'roots without end': (n) => page(`<math>${'<msqrt><mi>x</mi>'.repeat(n)}`),
  attributes: (n) => page(`<div ${times(n, (i) => `a${i}=b `)}>x</div>`),
  'a link around blocks': (n) => page(`<a href="${'x'.repeat(n)}">${'<p>y</p>'.repeat(n)}</a>`),
  links: (n) => page('<a href=x>y</a>'.repeat(n)),
  'spaces in code': (n) => page(`<pre>${' '.repeat(10 * n)}x</pre>`),
  'spaces between words': (n) => page(`<p>x${'&nbsp; '.repeat(n)}y`),
  'line ends': (n) => page(`x${'<br>'.repeat(n)}y`),
  'backticks in code': (n) => page(`<code>${times(Math.sqrt(n), (i) => `${'`'.repeat(i)} `)}</code>`),
  'half a tag': (n) => page('<a '.repeat(n)),
  'half a comment': (n) => page('<!-- '.repeat(n)),
  entities: (n) => page('&amp;&#x26;&nosuch;'.repeat(n)),
  marks: (n) => page('*_`[]()\\'.repeat(n)),
};

const office = 'http://schemas.openxmlformats.org';
const relationships = (targets: readonly string[], kind: string): string =>
  `<Relationships xmlns="${office}/package/2006/relationships">${targets
    .map(
      (target, i) =>
        `<Relationship Id="r${i}" Type="${office}/officeDocument/2006/relationships/${kind}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`;
const parts = (entries: Readonly<Record<string, string>>): Buffer =>
  zip(Object.entries(entries).map(([name, content]) => zipEntry(name, content)));

const docxOf = (body: string, more: Readonly<Record<string, string>> = {}): Buffer =>
  parts({
    '[Content_Types].xml': `<Types xmlns="${office}/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    '_rels/.rels': relationships(['word/document.xml'], 'officeDocument'),
    'word/document.xml': `<w:document xmlns:w="${office}/wordprocessingml/2006/main" xmlns:r="${office}/officeDocument/2006/relationships"><w:body>${body}</w:body></w:document>`,
    ...more,
  });
const run = '<w:r><w:t>x</w:t></w:r>';
const paragraph = `<w:p>${run}</w:p>`;
const docx: Record<string, Craft> = {
  paragraphs: (n) => docxOf(paragraph.repeat(n)),
  'runs of one paragraph': (n) => docxOf(`<w:p>${run.repeat(n)}</w:p>`),
  'nested tables': (n) =>
    docxOf(nested('<w:tbl><w:tr><w:tc>', '</w:tc></w:tr></w:tbl>', 50, paragraph).repeat(Math.ceil(n / 50))),
  'rows that are merged': (n) =>
    docxOf(
      `<w:tbl>${`<w:tr><w:tc><w:tcPr><w:vMerge/></w:tcPr>${paragraph}</w:tc></w:tr>`.repeat(n)}</w:tbl>`,
    ),
  'cells that span columns': (n) =>
    docxOf(
      `<w:tbl><w:tr>${'<w:tc/>'.repeat(n)}</w:tr>${'<w:tr><w:tc><w:tcPr><w:gridSpan w:val="9999999"/></w:tcPr></w:tc><w:tc/></w:tr>'.repeat(n)}</w:tbl>${paragraph}`,
    ),
  styles: (n) => docxOf(times(n, (i) => `<w:p><w:pPr><w:pStyle w:val="s${i}"/></w:pPr>${run}</w:p>`)),
  'styles that are based on one another': (n) =>
    docxOf(
      times(n, (i) => `<w:p><w:pPr><w:pStyle w:val="s${i}"/></w:pPr>${run}</w:p>`),
      {
        'word/styles.xml': `<w:styles xmlns:w="w">${times(n, (i) => `<w:style w:type="paragraph" w:styleId="s${i}"><w:basedOn w:val="s${(i + 1) % n}"/></w:style>`)}</w:styles>`,
      },
    ),
  bookmarks: (n) => docxOf(times(n, (i) => `<w:p><w:bookmarkStart w:id="${i}" w:name="b${i}"/>${run}</w:p>`)),
  'nested text boxes': (n) =>
    docxOf(
      nested(
        '<w:p><w:r><w:drawing><wp:anchor><w:txbxContent>',
        '</w:txbxContent></wp:anchor></w:drawing></w:r></w:p>',
        150,
        paragraph,
      ).repeat(Math.ceil(n / 150)),
    ),
  'a message of many parts': (n) =>
    docxOf('<w:altChunk r:id="r0"/>', {
      'word/_rels/document.xml.rels': relationships(['a.mht'], 'aFChunk'),
      'word/a.mht': `Content-Type: multipart/mixed; boundary=b\n\n${'--b\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\n'.repeat(2 * n)}`,
    }),
  'elements without end': (n) => docxOf('<w:p>'.repeat(n)),
  'names of many accents': (n) =>
    docxOf(
      paragraph,
      Object.fromEntries('abcdefgh'.split('').map((name) => [name + '\u0301\u0316'.repeat(n / 2), ''])),
    ),
};

const xlsxOf = (rows: string, more: Readonly<Record<string, string>> = {}): Buffer =>
  parts({
    'xl/workbook.xml': `<workbook xmlns="x" xmlns:r="${office}/officeDocument/2006/relationships"><sheets><sheet name="a" r:id="r0"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships(['worksheets/sheet1.xml'], 'worksheet'),
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="x"><sheetData>${rows}</sheetData></worksheet>`,
    ...more,
  });
const column = (index: number): string =>
  index < 26 ? String.fromCharCode(65 + index) : column(Math.floor(index / 26) - 1) + column(index % 26);
const xlsx: Record<string, Craft> = {
  'cells of shared strings': (n) =>
    xlsxOf('<row><c t="s"><v>0</v></c></row>'.repeat(n), {
      'xl/sharedStrings.xml': '<sst><si><t>word</t></si></sst>',
    }),
  'a cell in each column': (n) =>
    xlsxOf(times(n, (i) => `<row><c r="${column(i % 16_000)}1"><v>1</v></c></row>`)),
  'a sheet that is named again': (n) =>
    xlsxOf(`<row>${'<c><v>1</v></c>'.repeat(n / 10)}</row>`, {
      'xl/workbook.xml': `<workbook xmlns="x" xmlns:r="${office}/officeDocument/2006/relationships"><sheets>${'<sheet name="a" r:id="r0"/>'.repeat(n / 10)}</sheets></workbook>`,
    }),
  'number formats': (n) =>
    xlsxOf('<row><c><v>1</v></c></row>', {
      'xl/styles.xml': `<styleSheet><numFmts><numFmt numFmtId="200" formatCode="${'['.repeat(n)}"/></numFmts></styleSheet>`,
    }),
  'nested elements': (n) => xlsxOf(nested('<a>', '</a>', 900).repeat(Math.ceil(n / 900))),
};

const drawing = 'http://schemas.openxmlformats.org/drawingml/2006/main';
const pptxOf = (slides: string, slide: string): Buffer =>
  parts({
    'ppt/presentation.xml': `<p:presentation xmlns:p="p" xmlns:r="${office}/officeDocument/2006/relationships"><p:sldIdLst>${slides}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relationships(['slides/slide1.xml'], 'slide'),
    'ppt/slides/slide1.xml': `<p:sld xmlns:p="p" xmlns:a="${drawing}"><p:sp>${slide}</p:sp></p:sld>`,
  });
const aParagraph = '<a:p><a:r><a:t>x</a:t></a:r></a:p>';
const pptx: Record<string, Craft> = {
  paragraphs: (n) => pptxOf('<p:sldId r:id="r0"/>', aParagraph.repeat(n)),
  'marks of quotations and line separators': (n) =>
    pptxOf('<p:sldId r:id="r0"/>', aParagraph.replace('>x<', `>${'&gt; \u2028'.repeat(n)}<`)),
  'a slide that is named again': (n) =>
    pptxOf('<p:sldId r:id="r0"/>'.repeat(n / 10), aParagraph.repeat(n / 10)),
  'shapes within shapes': (n) =>
    pptxOf('<p:sldId r:id="r0"/>', nested('<p:sp>', '</p:sp>', 900, aParagraph).repeat(Math.ceil(n / 900))),
};

const chartOf = (series: string): Buffer =>
  parts({
    'ppt/presentation.xml': `<p xmlns:r="${office}/officeDocument/2006/relationships"><sldId r:id="r0"/></p>`,
    'ppt/_rels/presentation.xml.rels': relationships(['slides/slide1.xml'], 'slide'),
    'ppt/slides/slide1.xml': `<sld xmlns:r="${office}/officeDocument/2006/relationships"><sp>${aParagraph}</sp><chart r:id="r0"/></sld>`,
    'ppt/slides/_rels/slide1.xml.rels': relationships(['../charts/chart1.xml'], 'chart'),
    'ppt/charts/chart1.xml': `<chart>${series}</chart>`,
  });
pptx['fractions within fractions'] = (n) =>
  pptxOf(
    '<p:sldId r:id="r0"/>',
    nested('<m:f><m:num>', '</m:num></m:f>', 450, '<m:t>1</m:t>')
      .replace(/^/, '<a:p><m:oMath>')
      .concat('</m:oMath></a:p>')
      .repeat(Math.ceil(n / 450)),
  );
pptx['series of a chart'] = (n) =>
  chartOf(
    Array.from({ length: n / 10 }, (_, at) => `<ser><val><pt idx="${at}"><v>1</v></pt></val></ser>`).join(''),
  );

const odtOf = (body: string): Buffer =>
  parts({
    mimetype: 'application/vnd.oasis.opendocument.text',
    'content.xml': `<o:document xmlns:o="o" xmlns:t="t"><o:body>${body}</o:body></o:document>`,
  });
const odt: Record<string, Craft> = {
  paragraphs: (n) => odtOf('<t:p>x</t:p>'.repeat(n)),
  'nested lists': (n) =>
    odtOf(
      nested('<t:list><t:list-item><t:p>x</t:p>', '</t:list-item></t:list>', 300).repeat(Math.ceil(n / 300)),
    ),
  'a list in a style with a long name': (n) =>
    odtOf(
      `<t:list t:style-name="${'x'.repeat(10 * n)}">${'<t:list-item><t:p>x</t:p></t:list-item>'.repeat(n)}</t:list>`,
    ),
  'paragraphs within paragraphs': (n) => odtOf(nested('<t:p>x', '</t:p>', 900).repeat(Math.ceil(n / 900))),
  'a long one within them': (n) => odtOf(nested('<t:p>', '</t:p>', 300, '<t:span>x</t:span> '.repeat(n))),
  'nested tables': (n) =>
    odtOf(
      nested(
        '<t:table><t:table-row><t:table-cell><t:p>x</t:p>',
        '</t:table-cell></t:table-row></t:table>',
        300,
      ).repeat(Math.ceil(n / 300)),
    ),
  'cells that are covered': (n) =>
    odtOf(
      `<t:table>${'<t:table-row><t:covered-table-cell t:number-columns-repeated="9999999"/></t:table-row>'.repeat(n)}</t:table>`,
    ),
  spaces: (n) => odtOf(`<t:p>x${'<t:s t:c="100000"/>'.repeat(n)}y</t:p>`),
  attributes: (n) => odtOf(`<t:p ${times(n, (i) => `t:a${i}="b" `)}>x</t:p>`),
};

const epubOf = (spine: string, chapter: string): Buffer =>
  parts({
    'META-INF/container.xml': '<container><rootfiles><rootfile full-path="a.opf"/></rootfiles></container>',
    'a.opf': `<package><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine>${spine}</spine></package>`,
    'a.xhtml': chapter,
  });
const epub: Record<string, Craft> = {
  'empty elements': (n) => epubOf('<itemref idref="a"/>', page(`x${'<a id="b"/>'.repeat(n)}`)),
  'half of them': (n) => epubOf('<itemref idref="a"/>', page(`x${'<a b '.repeat(n)}`)),
  'open sections': (n) => epubOf('<itemref idref="a"/>', page(`x${'<![CDATA[<!--<!DOCTYPE['.repeat(n)}`)),
  'open document types': (n) =>
    epubOf('<itemref idref="a"/>', page(`x${'<!DOCTYPE'.repeat(n)}[${'] '.repeat(n)}`)),
  'a chapter that is named again': (n) =>
    epubOf('<itemref idref="a"/>'.repeat(n / 10), page('<p>x'.repeat(n / 10))),
};

const pdfOf = (pages: number, content: string): Buffer =>
  pdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${'5 0 R '.repeat(pages)}] /Count ${pages} /MediaBox [0 0 612 792] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    stream(Buffer.from(content)),
    '<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F 3 0 R >> >> >>',
  ]);
/** A page tree without branches: each node has one page and the node below it. */
const deepPdf = (pages: number): Buffer => {
  const nodes = Array.from({ length: pages }, (_, i) => {
    const below = i < pages - 1 ? `${6 + 2 * i} 0 R` : '';
    return [
      `<< /Type /Pages /Kids [${5 + 2 * i} 0 R ${below}] /Count ${pages - i} /MediaBox [0 0 612 792] >>`,
      `<< /Type /Page /Parent ${4 + 2 * i} 0 R /Contents 3 0 R /Resources << /Font << /F 2 0 R >> >> >>`,
    ];
  });
  const text = stream(Buffer.from('BT /F 10 Tf (x) Tj ET'));
  const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';
  return pdf(['<< /Type /Catalog /Pages 4 0 R >>', font, text, ...nodes.flat()]);
};
/** Pages that share their annotations. */
const sharedPdf = (pages: number, annotations: string): Buffer =>
  pdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${'3 0 R '.repeat(pages)}] /Count ${pages} /MediaBox [0 0 612 792] >>`,
    '<< /Type /Page /Parent 2 0 R /Annots 4 0 R >>',
    `[${annotations}]`,
  ]);
const pdfs: Record<string, Craft> = {
  'lines of text': (n) => pdfOf(1, `BT /F 10 Tf 14 TL ${'(x y) Tj T* '.repeat(n)} ET`),
  pages: (n) => pdfOf(Math.ceil(n / 50), 'BT /F 10 Tf (x) Tj ET'),
  'saved states': (n) => pdfOf(1, `${'q '.repeat(n)}BT /F 10 Tf (x) Tj ET${' Q'.repeat(n)}`),
  'nested lists': (n) => pdfOf(1, `BT /F 10 Tf (x) Tj ET ${'['.repeat(n)}`),
  'a deep tree of pages': (n) => deepPdf(Math.ceil(n / 10)),
  'characters that stand for nothing': (n) =>
    pdfOf(1, `BT /F 10 Tf 14 TL ${'(x\\003y) Tj T* '.repeat(n)} ET`),
  'words that are divided': (n) => pdfOf(1, `BT /F 10 Tf 14 TL ${'(ab-) Tj T* (cd) Tj T* '.repeat(n)} ET`),
  'form fields': (n) =>
    annotatedPdf(
      Array.from({ length: n }, (_, i) => `/Subtype /Widget /Parent 6 0 R /FT /Tx /T (f${i}) /V (${i})`),
      ['<< /T (form) >>'],
    ),
  'pages that share annotations': (n) => sharedPdf(Math.ceil(n / 10), '<< /Subtype /Link >> '.repeat(n)),
  'raised characters': (n) => pdfOf(1, `BT /F 10 Tf ${'(x) Tj 3 Ts (y) Tj 0 Ts '.repeat(n)} ET`),
};

const plain: Record<string, Craft> = {
  'terminal codes without an end': (n) =>
    `${'\u001b[0'.repeat(n)}\u001b]${'x'.repeat(n)}${'\u001b]x'.repeat(n)}`,
  'accents of an unknown encoding': (n) => Buffer.alloc(n * 4, 0xe9),
  spaces: (n) => `x${' '.repeat(20 * n)}y`,
  'line ends': (n) => `x${'\r\n \r'.repeat(5 * n)}y`,
  'control characters': (n) => 'word \u0007 and a word more than that, '.repeat(n),
  'a long word': (n) => 'x'.repeat(20 * n),
  'half a comment': (n) => '<!--'.repeat(5 * n),
};

const markdown: Record<string, Craft> = {
  'blank headings': (n) => `#${' '.repeat(20 * n)}\n# x`,
  'front matter without end': (n) => `---\n${'a: b\n---'.repeat(2 * n)}`,
  backticks: (n) => '`'.repeat(20 * n),
};

const csv: Record<string, Craft> = {
  rows: (n) => 'a,b\n'.repeat(2 * n),
  columns: (n) => 'a,'.repeat(2 * n),
  quotes: (n) => '"a" "b", '.repeat(n),
  'a quote without end': (n) => `"${'a""b,\n'.repeat(n)}`,
  'what may be Markdown': (n) => `${'-'.repeat(5 * n)}\n${'[a]('.repeat(2 * n)}${'**a'.repeat(2 * n)}`,
  'a long row after short ones': (n) => `${'a\n'.repeat(n)}${'a,'.repeat(n)}`,
};

const json: Record<string, Craft> = {
  'nested arrays': (n) => '['.repeat(n) + ']'.repeat(n),
  'a long string': (n) => `"${'a\\n'.repeat(10 * n)}"`,
  numbers: (n) => `[${'1,'.repeat(2 * n)}1]`,
  spaces: (n) => `[1,${' '.repeat(20 * n)}1]`,
};

/** By the extension of the file's name. */
export const crafted: Readonly<Record<string, Readonly<Record<string, Craft>>>> = {
  html,
  docx,
  xlsx,
  pptx,
  odt,
  epub,
  pdf: pdfs,
  txt: plain,
  md: markdown,
  csv,
  json,
};

/** Texts that are cut into chunks. */
export const craftedTexts: Readonly<Record<string, (n: number) => string>> = {
  words: (n) => 'word and another, '.repeat(n),
  'words that are nearly too long': (n) => `${'x'.repeat(999)} `.repeat(n / 50),
  'a word without end': (n) => 'xyz'.repeat(5 * n),
  spaces: (n) => `x${' '.repeat(10 * n)}y`,
  marks: (n) => '=-'.repeat(5 * n),
  'marks that join, then words that do not': (n) =>
    (`${'='.repeat(400)} ` + '1 2 3 4 5 6 7 8 9 0 '.repeat(40)).repeat(n / 50),
  'line ends': (n) => '\n'.repeat(10 * n),
  emoji: (n) => '👩‍👩‍👧‍👦'.repeat(n),
  'characters that combine': (n) => `a${'\u0301'.repeat(10 * n)}`,
  headings: (n) => '# a\n\nb\n'.repeat(2 * n),
  'headings that are underlined': (n) => 'a\n===\n'.repeat(2 * n),
  'headings in quotations and items': (n) => `${'> - 1. '.repeat(10)}# a\n`.repeat(n / 5),
  'quotations and items without end': (n) => '> - '.repeat(5 * n),
  'headings of nothing but marks': (n) => `# ${'[_*<a'.repeat(400)}\n`.repeat(n / 50),
  'headings of nothing but marks of links and comments': (n) =>
    `# ${'![[](<!--&#('.repeat(200)}\n`.repeat(n / 50),
  'a heading without end': (n) => `# ${'[x]('.repeat(5 * n)}`,
  'a heading below blank lines': (n) => `${'\n'.repeat(10 * n)}# a`,
  'comments that begin': (n) => '<!--\n'.repeat(4 * n),
  'code that ends nowhere': (n) => '```\n' + '``\n'.repeat(5 * n),
};
