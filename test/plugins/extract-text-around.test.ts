import assert from 'node:assert/strict';
import { extractHere } from './support/extracted.js';
import { zip, zipEntry } from './support/zip.js';

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const newer = 'http://schemas.microsoft.com/office/2018/10/relationships';

type Parts = Readonly<Record<string, string>>;

const related = (...parts: readonly (readonly [type: string, target: string])[]): string =>
  `<Relationships>${parts
    .map(([type, target], at) => `<Relationship Id="r${at + 1}" Type="${type}" Target="${target}"/>`)
    .join('')}</Relationships>`;

async function textOf(name: string, parts: Parts): Promise<string> {
  const all = { '[Content_Types].xml': '<Types/>', ...parts };
  const source = zip(Object.entries(all).map(([path, content]) => zipEntry(path, content)));
  return (await extractHere({ source, name })).text;
}

describe('extract-text on what surrounds the text of office files', () => {
  it('adds the comments of a DOCX, and each of its headers and footers once', async () => {
    const p = (text: string): string => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
    const text = await textOf('a.docx', {
      'word/document.xml': `<w:document><w:body>${p('Body.')}</w:body></w:document>`,
      'word/_rels/document.xml.rels': related(
        [`${office}/comments`, 'comments.xml'],
        [`${office}/header`, 'header1.xml'],
        [`${office}/header`, 'header2.xml'],
        [`${office}/footer`, 'footer1.xml'],
        [`${office}/footer`, 'footer2.xml'],
      ),
      'word/comments.xml': `<w:comments><w:comment w:id="0" w:author="Ines">${p('Is this')}${p('right?')}</w:comment><w:comment w:id="1">${p('')}</w:comment></w:comments>`,
      'word/header1.xml': `<w:hdr>${p('Harbour office')}</w:hdr>`,
      'word/header2.xml': `<w:hdr>${p('Harbour  office')}</w:hdr>`,
      'word/footer1.xml': `<w:ftr>${p('Confidential')}</w:ftr>`,
      'word/footer2.xml': `<w:ftr>${p('3')}</w:ftr>`,
    });
    assert.equal(text, 'Body.\n\nComment: Is this right?\n\nHarbour office\n\nConfidential');
  });

  it('adds the comments of a PPTX to their slides, tables in notes, and each footer once', async () => {
    const p = (text: string): string => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`;
    const shape = (type: string, text: string): string =>
      `<p:sp><p:nvSpPr><p:nvPr><p:ph type="${type}"/></p:nvPr></p:nvSpPr><p:txBody>${p(text)}</p:txBody></p:sp>`;
    const slide = (title: string, number: number): string =>
      `<p:sld>${shape('title', title)}${shape('ftr', 'Internal use')}${shape('sldNum', String(number))}</p:sld>`;
    const text = await textOf('a.pptx', {
      'ppt/presentation.xml': `<p:presentation xmlns:r="${office}"><p:sldIdLst><p:sldId r:id="r1"/><p:sldId r:id="r2"/></p:sldIdLst></p:presentation>`,
      'ppt/_rels/presentation.xml.rels': related(
        [`${office}/slide`, 'slides/slide1.xml'],
        [`${office}/slide`, 'slides/slide2.xml'],
      ),
      'ppt/slides/slide1.xml': slide('First', 1),
      'ppt/slides/_rels/slide1.xml.rels': related(
        [`${office}/comments`, '../comments/comment1.xml'],
        [`${office}/notesSlide`, '../notesSlides/notesSlide1.xml'],
      ),
      'ppt/comments/comment1.xml':
        '<p:cmLst><p:cm authorId="0"><p:pos x="1" y="2"/><p:text>Too long?</p:text></p:cm></p:cmLst>',
      'ppt/notesSlides/notesSlide1.xml': `<p:notes>${shape('body', 'Say hello.')}<a:tbl><a:tr><a:tc><a:txBody>${p('Time')}</a:txBody></a:tc><a:tc><a:txBody>${p('Noon')}</a:txBody></a:tc></a:tr></a:tbl></p:notes>`,
      'ppt/slides/slide2.xml': slide('Second', 2),
      'ppt/slides/_rels/slide2.xml.rels': related([`${newer}/comments`, '../comments/modern1.xml']),
      'ppt/comments/modern1.xml': `<p188:cmLst><p188:cm><p188:replyLst><p188:reply><p188:txBody>${p('Yes.')}</p188:txBody></p188:reply></p188:replyLst><p188:txBody>${p('Agreed?')}</p188:txBody></p188:cm></p188:cmLst>`,
    });
    assert.equal(
      text,
      '## First\n\nInternal use\n\nNotes: Say hello.\nTime Noon\n\nComment: Too long?\n\n## Second\n\nComment: Yes.\n\nComment: Agreed?',
    );
  });

  it('adds the comments, shapes, diagrams and chart titles of an XLSX to their sheets, and threads instead of their copies', async () => {
    const sheet = (value: string): string =>
      `<worksheet><sheetData><row><c r="A1" t="inlineStr"><is><t>${value}</t></is></c></row></sheetData></worksheet>`;
    const copy =
      '<comments><commentList><comment ref="A1" authorId="0"><text><r><t>[Threaded comment]</t></r></text></comment></commentList></comments>';
    const text = await textOf('a.xlsx', {
      'xl/workbook.xml': `<workbook xmlns:r="${office}"><sheets><sheet name="One" r:id="r1"/><sheet name="Two" r:id="r2"/><sheet name="Three" r:id="r3"/></sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': related(
        [`${office}/worksheet`, 'worksheets/sheet1.xml'],
        [`${office}/worksheet`, 'worksheets/sheet2.xml'],
        [`${office}/chartsheet`, 'chartsheets/sheet1.xml'],
      ),
      'xl/worksheets/sheet1.xml': sheet('41'),
      'xl/worksheets/_rels/sheet1.xml.rels': related(
        [`${office}/comments`, '../comments1.xml'],
        [`${office}/drawing`, '../drawings/drawing1.xml'],
      ),
      'xl/drawings/drawing1.xml': `<wsDr xmlns:r="${office}"><sp><txBody><a:p><a:r><a:t>Only full boxes</a:t></a:r></a:p></txBody></sp><graphicFrame><chart r:id="r1"/></graphicFrame><graphicFrame><relIds r:dm="r2"/></graphicFrame></wsDr>`,
      'xl/drawings/_rels/drawing1.xml.rels': related(
        [`${office}/chart`, '../charts/chart1.xml'],
        [`${office}/diagramData`, '../diagrams/data1.xml'],
      ),
      'xl/diagrams/data1.xml':
        '<dataModel><ptLst><pt><t><p><r><t>Full, then sent</t></r></p></t></pt></ptLst></dataModel>',
      'xl/charts/chart1.xml':
        '<chart><title><p><t>Bo</t><t>xes</t></p><p/><p><t>by day</t></p></title></chart>',
      'xl/comments1.xml':
        '<comments><commentList><comment ref="B2" authorId="0"><text><r><t>Counted </t></r><r><t>twice</t></r></text></comment></commentList></comments>',
      'xl/worksheets/sheet2.xml': sheet('42'),
      'xl/worksheets/_rels/sheet2.xml.rels': related(
        [`${office}/comments`, '../comments2.xml'],
        [`${newer}/threadedComment`, '../threadedComments/threadedComment1.xml'],
      ),
      'xl/chartsheets/sheet1.xml': `<chartsheet xmlns:r="${office}"><drawing r:id="r1"/></chartsheet>`,
      'xl/chartsheets/_rels/sheet1.xml.rels': related([`${office}/drawing`, '../drawings/drawing2.xml']),
      'xl/drawings/drawing2.xml': `<wsDr xmlns:r="${office}"><graphicFrame><chart r:id="r1"/></graphicFrame></wsDr>`,
      'xl/drawings/_rels/drawing2.xml.rels': related([`${office}/chart`, '../charts/chart2.xml']),
      'xl/charts/chart2.xml':
        '<chart><title><tx><strRef><f>One!A1</f><strCache><pt idx="0"><v>Boxes</v></pt><pt idx="1"><v>by week</v></pt></strCache></strRef></tx></title></chart>',
      'xl/comments2.xml': copy,
      'xl/threadedComments/threadedComment1.xml':
        '<ThreadedComments><threadedComment ref="A1" id="x"><text>Who counted?</text></threadedComment></ThreadedComments>',
    });
    assert.match(
      text,
      /^## One\n[^]*41[^]*\n\nOnly full boxes\n\nBoxes by day\n\nFull, then sent\n\nComment on B2: Counted twice\n\n## Two\n/,
    );
    assert.match(text, /42[^]*\n\nComment on A1: Who counted\?\n\n## Three\n\nBoxes by week$/);
    assert.doesNotMatch(text, /Threaded comment/);
  });

  it('adds the comments of an ODT, and each of its headers and footers once', async () => {
    const text = await textOf('a.odt', {
      mimetype: 'application/vnd.oasis.opendocument.text',
      'content.xml':
        '<office:document-content><office:body><office:text><text:p>Body<office:annotation><dc:creator>Ines</dc:creator><text:p>Is this</text:p><text:p>right?</text:p></office:annotation> text.</text:p></office:text></office:body></office:document-content>',
      'styles.xml':
        '<office:document-styles><office:master-styles><style:master-page><style:header><text:p>Harbour<text:s/>office</text:p></style:header><style:header-left><text:p>Harbour office</text:p></style:header-left><style:footer><text:p><text:page-number>3</text:page-number></text:p></style:footer></style:master-page></office:master-styles></office:document-styles>',
    });
    assert.equal(text, 'Body text.\n\nComment: Is this right?\n\nHarbour office');
  });
});
