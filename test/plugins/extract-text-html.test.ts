import assert from 'node:assert/strict';
import iconv from 'iconv-lite';
import { extract, extractFixture, extractHere, extractPage, fixture, lines } from './support/extracted.js';
import { recallOf } from './support/html-recall.js';

describe('extract-text on HTML', () => {
  it('keeps everything that an uploaded page shows', async () => {
    const { text, metadata } = await extractFixture('manual.html');
    const all = { words: 1, headings: 1, items: 1, cells: 1, code: 1, links: 1 };
    assert.deepEqual(recallOf(fixture('manual.html').toString(), text), all);
    assert.doesNotMatch(
      text,
      /scriptword|invisiblefont|hiddenword|styledaway|templateword|noscriptword|dialogword/,
    );
    assert.equal(metadata['title'], "Gauge keeper's manual");
    assert.equal(metadata['author'], 'The gauge keepers');
  });

  it('keeps content outside the body, or in a head that is never closed', async () => {
    const page =
      '<!doctype html><html><head><title>T</title><p>One &amp; two</p><body><p>Three</body><p>Four';
    const { text } = await extract({ source: page, name: 'a.html' });
    assert.equal(text, '# T\n\nOne & two\n\nThree\n\nFour');
  });

  it('keeps the text of a page whose elements are never closed', async () => {
    const words = Array.from({ length: 600 }, (_, index) => `Line ${index}`);
    const source = `<html><body>${words.map((line) => `<p><b><font size=2>${line}`).join('')}<script>var x</script><style>y</style><br/>in</b> line<svg><title>z</title></svg>`;
    const { text } = await extract({ source, name: 'a.html' });
    assert.equal(
      text,
      [...words, 'in line']
        .map((line) => `**${line}**`)
        .join('\n\n')
        .replace('**\n\n**in', '  \nin'),
    );
  });

  it('reads XHTML as XML where HTML means something else', async () => {
    const page =
      '<head><title/><script src="x.js"/></head><body><p>one <![CDATA[a<!> <!-- &amp; &x; --!> b]]><textarea/><iframe src="y"/> two</p></body>';
    const source = `<html xmlns="http://www.w3.org/1999/xhtml">${page}</html>`;
    for (const named of [{ name: 'a.xhtml' }, { name: 'a', mediaType: 'application/xhtml+xml' }])
      assert.equal((await extract({ source, ...named })).text, 'one a<!> \\<!-- \\&amp; &x; --!> b\n\ntwo');
    const long = source.replace(
      '</p>',
      ` and more words of the main part, ${'which are a lot, '.repeat(20)}</p>`,
    );
    const config = { main_content: 'always' };
    const read = await extract({ source: long, name: 'a.xhtml', sourceType: 'URL', config });
    assert.match(read.text, /^one a<!> \\<!-- \\&amp; &x; --!> b[^]*two and more/);
  });

  it('ends comments where browsers do', async () => {
    const source =
      '<html><body><p>One<!-- a --!> two<!> three<!--> four<!-- b --> five<!--!> c --> six<!---!> d --> seven<!----!> eight';
    const { text } = await extract({ source, name: 'a.html' });
    assert.equal(text, 'One two three four five six seven eight');
  });

  it('reads a page in the encoding that it declares', async () => {
    const padding = ' '.repeat(5_000);
    const pages: readonly (readonly [encoding: string, start: string])[] = [
      ['utf-8', '<meta http-equiv=Content-Type content="text/html; charset=utf-16">'],
      ['utf-8', "<?xml version='1.0' encoding='utf-16'?><html>"],
      ['utf-8', '<meta http-equiv=Content-Type content="text/html; charset=unicode">'],
      ['utf-8', '<meta charset=utf-7>'],
      ['shift_jis', '<meta charset=x-sjis>'],
      ['shift_jis', "<?xml version='1.0' encoding='Shift_JIS'?><html>"],
      ['shift_jis', `<html><!-- <meta charset=koi8-r> -->${padding}<meta CHARSET = 'shift_jis'/>`],
      [
        'shift_jis',
        `<meta name=about content="charset=koi8-r"><meta content='a;charset="shift_jis"' http-equiv=content-type>`,
      ],
      ['shift_jis', `<script>"<meta charset=koi8-r>"</script><meta charset=shift_jis>`],
    ];
    const found = await Promise.all(
      pages.map(async ([encoding, start]) => {
        const source = iconv.encode(`${start}<p>港 Hafen`, encoding);
        const { text, metadata } = await extract({ name: 'a.html', source });
        return [metadata['encoding'], text];
      }),
    );
    assert.deepEqual(
      found,
      pages.map(([encoding]) => [encoding, '港 Hafen']),
    );
    const latin1 = Buffer.from('<meta charset=latin1><p>5 \x80', 'latin1');
    assert.equal((await extract({ name: 'a.html', source: latin1 })).text, '5 €');
  });

  it('reads UTF-8 whatever the page declares', async () => {
    for (const start of ['<meta charset=iso-8859-1>', "<?xml version='1.0' encoding='Shift_JIS'?><html>"]) {
      const { text, metadata } = await extract({ name: 'a.html', source: `${start}<p>Zürich café` });
      assert.deepEqual([metadata['encoding'], text], ['utf-8', 'Zürich café']);
    }
  });

  it('leaves out how ruby text is pronounced, also in the title', async () => {
    const ruby = '祇園<ruby>精<rp>(</rp><rt>しょう</rt><rp>)</rp>舎<rtc><rt>じゃ</rtc></ruby>';
    const page = `<title>祇園精舎 | 平家</title><h1>${ruby}</h1><p>${ruby}の鐘の声<pre>${ruby}</pre><table><tr><td>${ruby}<td>2</table>`;
    const { text, metadata } = await extract({ name: 'a.html', source: page });
    assert.equal(metadata['title'], '祇園精舎');
    assert.equal(
      text,
      lines(
        '# 祇園精舎',
        '',
        '祇園精舎の鐘の声',
        '',
        '```',
        '祇園精舎',
        '```',
        '',
        '| 祇園精舎 | 2 |',
        '| --- | --- |',
      ),
    );
  });

  it('takes only the heading of a title that also names the site', async () => {
    const titles: readonly (readonly [title: string, expected: string])[] = [
      ['Java', 'Java'],
      ['Java - Example.org', 'Java'],
      ['Java | Example.org', 'Java'],
      ['Java: a guide', 'Java'],
      ['JavaScript Guide for Beginners', 'JavaScript Guide for Beginners'],
      ['Java • Example.org', 'Java'],
      ['Java / Example.org', 'Java'],
      ['Java\u30fbExample.org', 'Java'],
      ['Java-based systems', 'Java-based systems'],
      ['Java/C++', 'Java/C++'],
      ['Java::Net', 'Java::Net'],
      ['Java for Beginners', 'Java for Beginners'],
    ];
    const found = titles.map(async ([title]) => {
      const source = Buffer.from(`<html><title>${title}</title><h1>Java</h1><p>Text`);
      return (await extractHere({ name: 'a.html', source })).metadata.title;
    });
    assert.deepEqual(
      await Promise.all(found),
      titles.map(([, expected]) => expected),
    );
    const chinese = Buffer.from('<html><title>潮汐-百科</title><h1>潮汐</h1>');
    assert.equal((await extractHere({ name: 'a.html', source: chinese })).metadata.title, '潮汐');
  });

  it('writes lists, code and tables as Markdown', async () => {
    const { text } = await extractFixture('manual.html');
    const parts = [
      lines(
        '3. Read the gauge',
        '   - at high water,',
        '   - at low water:',
        '',
        '     twice a day.',
        '     1. Note the time.',
        '     7. Note the **level**.',
        '5. Send it to [the office](mailto:office@example.org?subject=\\(level\\)).',
        '',
        '> Water knows no holiday.',
        '>',
        '> - An old keeper',
        '',
        '````sh',
        'echo "a  b" | gauge_read --all',
        '  # ``` is no end',
        'gauge send',
        '````',
        '',
        '```',
        'plain',
        '    indented',
        '```',
        '',
        'Levels of alarm',
        '',
        '| Level | Meaning \\| colour |',
        '| --- | --- |',
        '| 1 | Watch [the river](watch.html) green |',
        '| 2 | Warn Close the gate |',
        '',
        '### 2.1.2. Terms',
        '',
        'snake_case_names and 2 * 3 stay; _emphasis within emphasis_ is marked once  ',
        'and lines  ',
        'may end.',
      ),
      'Examples: `gok`, `yasr`, `dasher`.',
      'baken, hamlib[(3)](h.html).',
    ];
    for (const part of parts) assert(text.includes(part), `${part}\n\nis not in\n\n${text}`);
  });

  it('writes only the text of a link whose target contains data or code', async () => {
    const targets = [
      'data:text/csv,a',
      ' JavaScript:void(0)',
      'blob:https://e.org/1',
      `?q=${'x'.repeat(2_000)}`,
    ];
    const links = [...targets, 'data.csv'].map((target) => `<a href="${target}">one</a> `);
    const { text } = await extract({ source: `<html><p>${links.join('')}`, name: 'a.html' });
    assert.equal(text, 'one one one one [one](data.csv)');
  });

  it('separates the words around images, media and controls', async () => {
    const cases = [
      ['<button>Save</button><button>Cancel</button>', 'Save Cancel'],
      ['<button><b>Save</b></button><b>Cancel</b>', '**Save** **Cancel**'],
      ['<input type=radio>Male<input type=radio>Female', 'Male Female'],
      ['One<img alt=two>three<img alt="">four', 'One two three four'],
      ['One <img alt=two> three', 'One two three'],
      ['1<video>no</video>2<progress>3</progress>4<canvas></canvas>5<svg></svg>6', '1 2 3 4 5 6'],
      ['Press <button>Save</button>, (<img alt=or>) <q>"<img alt=Stop>"</q>.', 'Press Save, (or) "Stop".'],
      ['<a href=a><img alt=One></a><a href=b>two</a>', '[One](a) [two](b)'],
      ['word<img alt=""><sup>1</sup>', 'word 1'],
      ['whole<input type=hidden>some', 'wholesome'],
      ['whole<img hidden alt=x>some<svg style="display: none"></svg>ness', 'wholesomeness'],
      ['non-<img alt=n>, 5<img alt="">%, $<img alt="">5', 'non-n, 5%, $5'],
      ['mail<img alt="@">example.org', 'mail@example.org'],
      ['你好<img alt="">，世<img alt="">界', '你好，世界'],
      ['<b>(</b><img alt=x><b>)</b>', '**(**x**)**'],
    ];
    const source = Buffer.from(`<html>${cases.map(([html]) => `<p>${html}</p>`).join('')}`);
    const { text } = await extractHere({ source, name: 'a.html' });
    assert.deepEqual(
      text.split('\n\n'),
      cases.map(([, markdown]) => markdown),
    );
  });

  it('separates raised numbers from what they would change', async () => {
    const cases = [
      ['10<sup>6</sup>', '10^6'],
      ['10<sup> -6</sup>', '10^-6'],
      ['10<sup><span>6</span></sup>', '10^6'],
      ['word<sup>1,2</sup>', 'word^1,2'],
      ['word<sup>1, 2</sup>', 'word^1, 2'],
      ['word<sup>1\u20133</sup>', 'word^1\u20133'],
      ['(a)<sup>3</sup>', '(a)^3'],
      ['5 km<sup>2</sup>, 3 дм<sup>3</sup>', '5 km2, 3 дм3'],
      ['I<sup>2</sup>C, W<sup>3</sup>C, R<sup>2</sup>', 'I2C, W3C, R2'],
      ['system<sup>2</sup>', 'system^2'],
      ['1<sup>st</sup>', '1st'],
      ['end.<sup>1</sup>', 'end.1'],
      ['word <sup>1</sup>', 'word 1'],
      ['2020<sup><a href="#n1">1</a></sup>', '2020[1](#n1)'],
      ['word<a href="#n1"><sup>1</sup></a>', 'word[1](#n1)'],
      ['H<sub>2</sub>O', 'H2O'],
    ];
    const source = `<html>${cases.map(([html]) => `<p>${html}</p>`).join('')}`;
    const { text } = await extract({ source, name: 'a.html' });
    assert.deepEqual(
      text.split('\n\n'),
      cases.map(([, markdown]) => markdown),
    );
  });

  it('writes formulas in one line', async () => {
    const half = '<mfrac><mn>1</mn><mn>2</mn></mfrac>';
    const square = '<msup><mi>b</mi><mn>2</mn></msup>';
    const root = `<msqrt><mrow>${square}<mo>-</mo><mn>4</mn><mo>\u2062</mo><mi>a</mi><mo>\u2062</mo><mi>c</mi></mrow></msqrt>`;
    const solution = `<mfrac><mrow><mo>-</mo><mi>b</mi><mo>±</mo>${root}</mrow><mrow><mn>2</mn><mi>a</mi></mrow></mfrac>`;
    const notes =
      '<annotation encoding="application/x-tex">\\pm</annotation><annotation-xml><apply><ci>q</ci></apply></annotation-xml>';
    const cases = [
      [`So <math>${solution}</math>.`, 'So (-b±√(b^2-4ac))/(2a).'],
      [`2<math>${half}</math> cups`, '2 1/2 cups'],
      [`<math><mn>2</mn>${half}</math>`, '2 1/2'],
      ['<math><msup><mn>10</mn><mn>6</mn></msup></math>', '10^6'],
      ['<math><msub><mi>log</mi><mn>2</mn></msub><mn>8</mn></math>', '(log)\\_2 8'],
      ['<math><msqrt><mn>2</mn></msqrt><mn>5</mn></math>', '√2 5'],
      ['<math><mn>2</mn><mo>\u2062</mo><mn>5</mn></math>', '2 5'],
      ['<math><mn>10</mn></math><sup>6</sup>', '10^6'],
      ['<math><mn>3</mn></math>-fold, the <math><mn>4</mn></math>th', '3-fold, the 4th'],
      ['<math><msup><mi>x</mi><mrow hidden><mn>2</mn></mrow></msup></math>', 'x'],
      ['Let <math><mi>x</mi> be <b>long</b>.<math><mi>y</mi></math>', 'Let x be **long**.y'],
      ['Let <math><mi>x</mi> <div>Next</div>', 'Let x', 'Next'],
      [
        `So <span><math>${half}</math></span><span class="katex-html" aria-hidden="true">12</span>.`,
        'So 1/2.',
      ],
      ['<span class="katex-html" aria-hidden="true">12</span>', '12'],
      ['<m:math><m:mfrac><m:mn>1</m:mn><m:mn>2</m:mn></m:mfrac></m:math>', '1/2'],
      [
        '<math><mmultiscripts><mi>C</mi><mn>1</mn><none></none><mprescripts></mprescripts><mn>6</mn><mn>14</mn></mmultiscripts></math>',
        '\\_6^14 C_1',
      ],
      [
        `<a href=a>Thus<math display=block><semantics>${root}${notes}</semantics></math>, so</a>`,
        '[Thus √(b^2-4ac), so](a)',
      ],
      [`<math alttext="±1"><semantics>${notes}</semantics></math>`, '±1'],
      ['<math><mtext>if <b>true</b></mtext></math>', 'if true'],
      ['<math><apply><ci>q</ci></apply></math>', 'q'],
    ];
    const source = Buffer.from(`<html>${cases.map(([html]) => `<p>${html}</p>`).join('')}`);
    const { text } = await extractHere({ source, name: 'a.html' });
    assert.deepEqual(
      text.split('\n\n'),
      cases.flatMap(([, ...markdown]) => markdown),
    );
  });

  it('escapes only what would be a tag or a comment', async () => {
    const cases = [
      ['Bob &lt;bob@x.org>, &lt;https://x.org/a>', 'Bob <bob@x.org>, <https://x.org/a>'],
      ['if a&lt;b then, 1 &lt; 2 > 1', 'if a<b then, 1 < 2 > 1'],
      ['a &lt;div>, &lt;/b>, &lt;br/>', 'a \\<div>, \\</b>, \\<br/>'],
      ['&lt;&lt;ODS JOB NO>>', '<\\<ODS JOB NO>>'],
      ['&lt;!-- begin', '\\<!-- begin'],
      ['&lt;script', '\\<script'],
    ];
    const source = `<html>${cases.map(([html]) => `<p>${html}</p>`).join('')}`;
    const { text } = await extract({ source, name: 'a.html' });
    assert.deepEqual(
      text.split('\n\n'),
      cases.map(([, markdown]) => markdown),
    );
  });

  it('separates the labels of a drawing, and reads HTML in it', async () => {
    const drawing =
      '<svg><title>no</title><desc>no</desc><text>Al<tspan>pha</tspan></text><text>Be<tspan dx=1>ta</tspan><tspan x=0 dy=1em>line</tspan></text><foreignObject><p>Gamma</p><b>Delta</b></foreignObject></svg>';
    const { text } = await extract({
      source: `<html><p>See ${drawing}.<p>a<text>b</text><desc>c</desc>`,
      name: 'a.html',
    });
    assert.equal(text, 'See Alpha Beta line\n\nGamma\n\n**Delta** .\n\nabc');
    const source = `<html><body><article><p>${'A long part of the page. '.repeat(20)}${drawing}</article>`;
    const config = { main_content: 'always' };
    const main = await extract({ source, name: 'a.html', sourceType: 'URL', config });
    assert.match(main.text, /page\. Alpha Beta line\n\nGamma\n\n\*\*Delta\*\*$/);
  });

  it('keeps the cells of a table in their columns beside and below merged cells', async () => {
    const head = '<thead><tr><th rowspan=2>Region<th colspan=2>Sales<th>Note<tr><th>Quarter<th>Sum</thead>';
    const rows =
      '<tr><td rowspan=" 2">North<td>Q1<td>100<tr><td>Q2<td>200<tr><td colspan=3>All<td>ok<tr><td rowspan=0>South<td>Q1';
    const source = `${head}<tbody>${rows}<tr><td>Q2</tbody><tfoot><tr><td>End<td>9</tfoot>`;
    const { text } = await extract({ source: `<html><table>${source}</table>`, name: 'a.html' });
    assert.equal(
      text,
      lines(
        '| Region | Sales |  | Note |',
        '| --- | --- | --- | --- |',
        '|  | Quarter | Sum |',
        '| North | Q1 | 100 |',
        '|  | Q2 | 200 |',
        '| All |  |  | ok |',
        '| South | Q1 |',
        '|  | Q2 |',
        '| End | 9 |',
      ),
    );
    const wide = `<html><table>${'<tr><td colspan=1000 rowspan=1000>a<td>b'.repeat(1_000)}</table>`;
    assert((await extract({ source: wide, name: 'a.html' })).text.length < 3 * wide.length);
  });

  it('keeps a table that has headings or code in its cells, unless they are sections', async () => {
    const table = (cell: string): string =>
      `<table><caption><h2>Plans</h2></caption><tr><th><h3>Plan</h3><th><h3>Start</h3><tr><td><td>${cell}</table>`;
    const textOf = async (body: string): Promise<string> =>
      (await extractHere({ source: Buffer.from(`<html>${body}`), name: 'a.html' })).text;
    assert.equal(
      await textOf(table('<pre>npm ci\n\n  npm test | tee</pre> then')),
      lines('## Plans', '', '| Plan | Start |', '| --- | --- |', '|  | `npm ci` `npm test \\| tee` then |'),
    );
    const section = table(`<h3>All</h3><p>${'Read this. '.repeat(50)}`);
    const highlighted = '<table><tr><td><pre>1\n2</pre><td><pre>npm ci\nnpm test</pre></table>';
    assert.match(await textOf(section), /^## Plans\n\n### Plan\n\n### Start\n\n### All\n\nRead/);
    const divided = '<table><tr><td><a id=a></a><td><h3>Tides</h3><tr><td>High<td>Low<tr><td>1<td>2</table>';
    assert.equal(await textOf(divided), '### Tides\n\nHigh\n\nLow\n\n1\n\n2');
    const grid =
      '<table><tr><td><h3>Buy</h3><ul><li>Nets</ul><td>2<tr><td><h3>Sell</h3><ul><li>Fish</ul><td>3</table>';
    assert.equal(await textOf(grid), '### Buy\n\n- Nets\n\n2\n\n### Sell\n\n- Fish\n\n3');
    const corner = '<table><tr><th><th><h4>Price</h4><tr><td>Apple<td>1</table>';
    assert.equal(await textOf(corner), lines('|  | Price |', '| --- | --- |', '| Apple | 1 |'));
    const long = `<table><tr><td><h3>High</h3><td>Low<tr><td>1<td>${'Read this. '.repeat(50)}</table>`;
    assert.match(await textOf(long), /^### High\n\nLow\n\n1\n\nRead/);
    assert.equal(await textOf(highlighted), '```\n1\n2\n```\n\n```\nnpm ci\nnpm test\n```');
    assert.equal(
      await textOf('<table><tr><td>1<td><table><tr><td>2<td>3</table><tr><td>4<td>5</table>'),
      '1\n\n| 2 | 3 |\n| --- | --- |\n\n4\n\n5',
    );
  });

  it('extracts the main part of a page from a URL, or all of it if that part has less than half of the words', async () => {
    const article = await extractPage('article.html');
    assert.doesNotMatch(article.text, /kayak|All rights/);
    const sentence = 'The keeper reads the gauge at high water, and writes the level down. ';
    const index = '<li><a href="a.html">Chapter of the handbook on gauges, rivers and harbours</a></li>';
    const page = `<html><body><ul>${index.repeat(60)}</ul><article><p>${sentence.repeat(9)}</p></article></body></html>`;
    const sides = await Promise.all(
      (['auto', 'always'] as const).map(async (main_content) => {
        const { text } = await extract({
          source: page,
          name: 'a.html',
          sourceType: 'URL',
          config: { main_content },
        });
        return text.split('Chapter').length - 1;
      }),
    );
    assert.deepEqual(sides, [60, 0]);
  });

  it('extracts the main part always or never if the config says so', async () => {
    const [never, always, uploaded] = await Promise.all([
      extractPage('article.html', { main_content: 'never' }),
      extractPage('manual.html', { main_content: 'always' }),
      extract({ name: 'a.html', source: fixture('article.html'), config: { main_content: 'always' } }),
    ]);
    assert.match(never.text, /kayak[^]*All rights/);
    assert.doesNotMatch(always.text, /Copyright of the keepers/);
    assert.doesNotMatch(uploaded.text, /kayak|All rights/);
  });
});
