import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import iconv from 'iconv-lite';
import { extract, extractFixture, lines } from './support/extracted.js';

describe('extract-text on text formats', () => {
  it('keeps Markdown as it is', async () => {
    const { text, metadata } = await extractFixture('notes.md');
    assert.equal(text, readFileSync(new URL('../fixtures/notes.md', import.meta.url), 'utf8').trim());
    assert.equal(metadata['title'], 'Notes on moving house');
    assert.equal(metadata['author'], 'Piet de Vries');
  });

  it('makes a table from CSV, whatever the delimiter', async () => {
    const { text } = await extractFixture('orders.csv');
    assert.equal(
      text,
      lines(
        '| order | customer | total |',
        '| --- | --- | --- |',
        '| 1001 | Meyer; Söhne | 12,50 |',
        '| 1002 | O"Brien \\| Co | 7 |',
        '| 1003 | Łódź Trading | multi line |',
      ),
    );
  });

  it('takes the delimiter of CSV from a first line for Excel', async () => {
    const tables = await Promise.all(
      ['sep=;\r\na;b,c\r\n1;2,3\r\n', '\ufeff"sep=\t"\na\tb,c\n1\t2,3', 'a;sep=;\n1;2\n'].map(
        async (source) => (await extract({ name: 'a.csv', source })).text.split('\n')[0],
      ),
    );
    assert.deepEqual(tables, ['| a | b,c |', '| a | b,c |', '| a | sep= |  |']);
  });

  it('reads tab-separated values, quoted as Excel does or not at all', async () => {
    const places = 'place\tcode\nBerlin, Mitte, Germany\t10115\nKöln, Süd, Germany\t50968\n';
    const tables = await Promise.all(
      [
        { name: 'a.tsv', source: places },
        { name: 'a', source: places, mediaType: 'text/tab-separated-values; charset=utf-8' },
        { name: 'a.csv', source: 'size\tprice\n"big" one\t1\nsmall one\t"2\n' },
        { name: 'a.tsv', source: 'size\tprice\n"two\nlines, ""big"" one"\t1\n' },
        { name: 'a.tsv', source: 'a,b\n"1, 2",3\n' },
        { name: 'a.csv', source: 'a,b\n"1"x,"two\nlines"\n' },
      ].map(async (run) => (await extract(run)).text.split('\n').filter((line) => !line.includes('---'))),
    );
    const rows = ['| place | code |', '| Berlin, Mitte, Germany | 10115 |', '| Köln, Süd, Germany | 50968 |'];
    assert.deepEqual(tables, [
      rows,
      rows,
      ['| size | price |', '| "big" one | 1 |', '| small one | "2 |'],
      ['| size | price |', '| two lines, "big" one | 1 |'],
      ['| a | b |', '| 1, 2 | 3 |'],
      ['| a | b |', '| "1"x | "two |', '| lines" |'],
    ]);
  });

  it('takes quotation marks of CSV as text from the first wrong one on, if they would hide cells', async () => {
    const tables = await Promise.all(
      [
        'item,size\n"Box, ""big""",2\n"Big" box,3\nsmall,"4"\n',
        '\ufeffitem;size\n"Big" box;3\nsmall;5"\n',
        'item,size\n"Big,3\nsmall,4\n',
        'item,size\n"Big" box,3\n"small",4\n',
        '"item","size"\n"A "big" box, red","3"\n"small,\nblue","4"\n',
        `"item","size"\n"A "big" box","3"\n"box${'\na, b\nc\nd'.repeat(3)}","4"\n`,
        'item,size\n"A "big" box, red",3\n"B, b",4\n"C, c",5\n"D,6\n',
      ].map(async (source) => (await extract({ name: 'a.csv', source })).text.split('\n')),
    );
    const head = ['| item | size |', '| --- | --- |'];
    assert.deepEqual(tables, [
      [...head, '| Box, "big" | 2 |', '| "Big" box | 3 |', '| small | "4" |'],
      [...head, '| "Big" box | 3 |', '| small | 5" |'],
      [...head, '| "Big | 3 |', '| small | 4 |'],
      [...head, '| "Big" box | 3 |', '| "small" | 4 |'],
      [...head, '| A "big" box, red | 3 |', '| small, blue | 4 |'],
      [...head, '| A "big" box | 3 |', `| box${' a, b c d'.repeat(3)} | 4 |`],
      [...head, '| A "big" box, red | 3 |', '| B, b | 4 |', '| C, c | 5 |', '| "D | 6 |'],
    ]);
  });

  it('reads CSV whose lines end differently', async () => {
    for (const source of ['name,city\r\nAnn,Bern\nBob,Basel', 'name,city\rAnn,Bern\rBob,Basel\n']) {
      const { text } = await extract({ name: 'a.csv', source });
      assert.equal(text, '| name | city |\n| --- | --- |\n| Ann | Bern |\n| Bob | Basel |');
    }
  });

  it('indents JSON and keeps its values', async () => {
    const { text } = await extractFixture('settings.json');
    const source = readFileSync(new URL('../fixtures/settings.json', import.meta.url), 'utf8');
    assert.deepEqual(JSON.parse(text.replace('line\n{', 'line\\n{')), JSON.parse(source));
    assert(
      text.startsWith(
        '{\n  "name": "gauge-7",\n  "serial": 12345678901234567890,\n  "levels": [\n    2.40,\n    1e3,',
      ),
    );
    assert(text.includes('"empty": {},\n  "none": [],'));
  });

  it('decodes the escapes of JSON that hide words', async () => {
    const source = String.raw`{"M\u00fcll":"\u65e5\n\tZ\u00fcrich\r\n\ud83d\ude00 a\/b \u000aend","kept":["\u0022q\u0022 \"q\" \\u00fc \u005c","\ud800 \u0007\b\ude00\ud83d"]}`;
    const { text } = await extract({ name: 'a.json', source });
    assert.equal(
      text,
      lines(
        '{',
        '  "Müll": "日\n\tZürich\n😀 a/b \nend",',
        '  "kept": [',
        String.raw`    "\"q\" \"q\" \\u00fc \\",`,
        String.raw`    "\ud800 \u0007\b\ude00\ud83d"`,
        '  ]',
        '}',
      ),
    );
  });

  const russian =
    'Музей открыт ежедневно, кроме понедельника. Вход для детей бесплатный, экскурсии по субботам.';
  const japanese = '図書館は毎日午前九時に開きます。月曜日は休みです。本は二週間借りることができます。';
  const texts: readonly (readonly [encoding: string, text: string, options?: { addBOM: boolean }])[] = [
    ['utf-8', 'Zażółć gęślą jaźń — 日本語 😀', { addBOM: true }],
    ['utf-16le', 'Das Museum ist geöffnet. 😀', { addBOM: true }],
    ['utf-16be', 'Das Museum ist geöffnet. 😀', { addBOM: true }],
    ['utf-16le', 'Das Museum hat heute geöffnet.', { addBOM: false }],
    [
      'windows-1252',
      'Le musée est fermé à Noël ; où déjeuner près de l’hôtel ? Ça coûte 12 €. Très bien, merci beaucoup.',
    ],
    ['windows-1251', russian],
    ['koi8-u', russian],
    ['ibm866', russian],
    ['shift_jis', japanese],
    ['euc-jp', japanese],
    ['gb18030', '图书馆每天上午九点开门，星期一休息。书可以借两个星期，请按时归还。'],
    [
      'euc-kr',
      '도서관은 매일 오전 아홉 시에 문을 엽니다. 월요일은 쉽니다. 책은 두 주 동안 빌릴 수 있습니다.',
    ],
    ['koi8-u', 'Музей відкрито щодня, крім понеділка. Для дітей вхід безплатний, її ґанок із сходами.'],
    ['windows-874', 'ห้องสมุดเปิดทุกวันเวลาเก้าโมงเช้า และปิดทุกวันจันทร์'],
    ['cp850', 'Die Bücherei ist täglich geöffnet. Größere Gruppen melden sich bitte früh an.'],
    // Short texts that fit other encodings as well.
    ['windows-1252', 'Nr: Größe\n1: 5\n2: 7'],
    ['windows-1252', 'Gebühr: 5 §\nGröße'],
    ['windows-1252', 'Café'],
    ['windows-1252', 'El contrato entra en vigor.\nArtículo 5\nLos clientes pueden cancelar el contrato.'],
    ['windows-1252', '© 2020 Acme'],
    ['windows-1252', 'Smörgåsbord'],
    ['windows-1250', 'Žluťoučký kůň'],
    ['windows-1251', 'Привет'],
    ['windows-874', 'สวัสดีครับ'],
    ['shift_jis', '東京都'],
    ['big5', '圖書館'],
    ['big5', '中華民國'],
    // Lone characters beside digits, names of several words, lines of one sign, letters without words.
    ['gb18030', '2020年1月5日 10时20分\n'.repeat(20).trim()],
    ['shift_jis', '1,7円,2個\n2,14円,3個\n3,21円,4個'],
    ['euc-kr', '상품 1,7원,2개\n상품 2,14원,3개\n상품 3,21원,4개'],
    ['shift_jis', 'サーバーエラー\nデータベース・エラー'],
    ['windows-1251', 'НовыйЭлемент = ПолучитьЭлемент(КодТовара);\nСуммаНДС = НомерСтроки + 1;'],
    ['iso-8859-7', 'ΔιαδικασίαΈναρξης ΌνομαΑρχείου'],
    ['windows-1252', `Entrée ${'·'.repeat(10)} 4\nÉlève ${'·'.repeat(10)} 5`],
    ['windows-1252', '20°C'],
    ['windows-1252', 'Menü\n°°°°\nGrüße'],
    ['windows-1252', 'ä\nö\nü\nß'],
    // Lines in ASCII say nothing.
    ['windows-1251', `— ${'plain text.\n'.repeat(6_000)}${russian}`],
  ];
  it('reads plain text in any common encoding', async () => {
    const found = await Promise.all(
      texts.map(async ([encoding, text, options]) => {
        const { text: read, metadata } = await extract({
          source: iconv.encode(text, encoding, options),
          name: 'a.txt',
        });
        return [metadata['encoding'], read];
      }),
    );
    assert.deepEqual(
      found,
      texts.map(([encoding, text]) => [encoding, text]),
    );
  });

  it('reads UTF-8 with a bad byte as UTF-8', async () => {
    const german = 'Die Größe der Straße ist für Käufer wichtig. \u20ac';
    const few = Buffer.from('Größe');
    const bad = Buffer.from([0xe9]);
    const cutOff = Buffer.from('日本').subarray(0, -1);
    const late = Buffer.concat([Buffer.from('a '.repeat(131_072)), iconv.encode(japanese, 'shift_jis')]);
    const found = await Promise.all(
      [
        { source: Buffer.concat([Buffer.from(german), bad, Buffer.from(' end')]) },
        { source: Buffer.concat([few, bad, Buffer.from('.'), bad]), mediaType: 'text/plain; charset=utf-8' },
        { source: Buffer.concat([few, bad, Buffer.from('.'), bad]) },
        { source: late },
        { source: cutOff },
      ].map(async (run) => (await extract({ name: 'a.txt', ...run })).text),
    );
    assert.deepEqual(found.slice(0, 2), [`${german}\ufffd end`, 'Größe\ufffd.\ufffd']);
    assert.doesNotMatch(found[2] ?? '', /\ufffd/);
    assert(found[3]?.endsWith(`a ${japanese}`));
    assert.equal(found[4], '日\ufffd');
  });

  it('reads UTF-8 whatever the media type says, and UTF-16 only if it may be that', async () => {
    const late = `${'a '.repeat(40_000)}Zürich`;
    const koi = '<meta charset=koi8-r><p>Музей';
    const runs: readonly (readonly [encoding: string, source: string, name: string, charset: string])[] = [
      ['utf-8', 'Zürich', 'a.txt', 'iso-8859-1'],
      ['utf-8', late, 'a.txt', 'ISO-8859-1'],
      ['utf-8', '<p>Zürich', 'a.html', 'windows-1251'],
      ['utf-8', 'plain', 'a.txt', 'utf-16'],
      ['utf-8', 'Zürich', 'a.txt', 'utf-16le'],
      ['utf-16le', 'Das Museum', 'a.txt', 'utf-16be'],
      ['utf-16le', '图书馆每日九点至五点', 'a.txt', 'utf-16'],
      ['utf-16be', '图书馆每日九点至五点', 'a.txt', 'utf-16be'],
      ['windows-1252', '<meta charset=latin1><p>été.', 'a.html', 'utf-16'],
      ['koi8-r', koi, 'a.html', 'utf-16'],
      ['koi8-r', `${koi}.`, 'a.html', 'utf-16'],
      ['koi8-r', koi, 'a.html', 'unknown-8bit'],
      ['koi8-r', 'Музей', 'a.txt', 'koi8-r'],
    ];
    const found = await Promise.all(
      runs.map(async ([encoding, text, name, charset]) => {
        const mediaType = `text/${name === 'a.html' ? 'html' : 'plain'}; charset=${charset}`;
        const source = iconv.encode(text, encoding);
        const { text: read, metadata } = await extract({ source, name, mediaType });
        return [metadata['encoding'], read.slice(-10)];
      }),
    );
    assert.deepEqual(
      found,
      runs.map(([encoding, text]) => [encoding, text.replace(/<[^>]*>/g, '').slice(-10)]),
    );
  });

  it('reads ISO-2022-JP, and no other variant of ISO-2022', async () => {
    // "日本語", between the escapes that begin and end Japanese.
    const japaneseBytes = '\u001b$BF|K\\8l\u001b(B';
    const plain = await extract({ name: 'a.txt', source: `${japaneseBytes} text` });
    assert.deepEqual([plain.metadata['encoding'], plain.text], ['iso-2022-jp', '日本語 text']);
    const named = await extract({
      name: 'a',
      source: japaneseBytes,
      mediaType: 'text/plain; charset=iso-2022-jp',
    });
    assert.equal(named.text, '日本語');
    const page = `<html><meta charset=iso-2022-jp><p>${japaneseBytes}</p></html>`;
    assert.equal((await extract({ name: 'a.html', source: page })).text, '日本語');
    const korean = `<html>\u001b$)C${'plain '.repeat(100)}\u000eGQ19>n\u000f`;
    await assert.rejects(extract({ name: 'a.html', source: korean }), {
      code: 'UNSUPPORTED_MEDIA_TYPE',
      message: 'Text in ISO-2022-KR is not supported',
    });
  });

  it('detects the format by the bytes, then the media type, then the name', async () => {
    const docx = readFileSync(new URL('../fixtures/minutes.docx', import.meta.url));
    const formats = await Promise.all(
      (
        [
          { source: docx, mediaType: 'application/octet-stream', name: 'page.html' },
          { source: Buffer.from('# Head'), mediaType: 'text/markdown; charset=utf-8', name: 'a.csv' },
          { source: Buffer.from('# Head'), mediaType: 'text/plain', name: 'a.md' },
          { source: Buffer.from('# Head'), mediaType: 'text/plain', name: 'a' },
        ] as const
      ).map(async (run) => (await extract(run)).metadata['format']),
    );
    assert.deepEqual(formats, ['docx', 'markdown', 'markdown', 'plain']);
  });

  it('reads texts crafted to be slow', async () => {
    const comments = '<!---->'.repeat(500);
    const { metadata: plain } = await extract({ source: Buffer.from(`${comments}no page`), name: 'a' });
    assert.equal(plain['format'], 'plain');
    const { metadata: page } = await extract({ source: Buffer.from(`${comments}<html>a page`), name: 'a' });
    assert.equal(page['format'], 'html');
    const heading = `# ${' #'.repeat(30_000)} C# ${'#'.repeat(3_000)}`;
    const { metadata } = await extract({ source: Buffer.from(heading), name: 'a.md' });
    assert.match(metadata['title'] as string, /^# # # /);
  });

  it('takes the title of Markdown from its first heading, not from blocks that contain none', async () => {
    const titles = await Promise.all(
      [
        'My Handbook\n=====\n\n## Setup',
        '```sh\n# install it\n```\n# Handbook',
        '<!--\n# Old\n-->\n### Note\n\n# *New* one',
      ].map(async (source) => (await extract({ source, name: 'a.md' })).metadata['title']),
    );
    assert.deepEqual(titles, ['My Handbook', 'Handbook', 'New one']);
  });

  it('reads values of front matter in the forms of YAML', async () => {
    const titles = await Promise.all(
      [
        '>\r\n  A title\r\n  of two lines\r\nlang: en',
        '|-  # literal\n  One',
        'Foo # comment',
        'C#: a guide',
        '"C #1: \\"a\\" \\u00fc" # comment',
        "'It''s # this'",
        '"A" and "B"',
        '# none',
      ].map(async (value) => {
        const source = `---\nauthor: A\ntitle: ${value}\n---\n\n# Heading\n`;
        return (await extract({ source, name: 'a.md' })).metadata['title'];
      }),
    );
    assert.deepEqual(titles, [
      'A title of two lines',
      'One',
      'Foo',
      'C#: a guide',
      'C #1: "a" ü',
      "It's # this",
      '"A" and "B"',
      'Heading',
    ]);
  });

  it('removes the closing marks of a heading, and no others', async () => {
    const title = async (text: string): Promise<unknown> =>
      (await extract({ source: Buffer.from(text), name: 'a.md' })).metadata['title'];
    assert.deepEqual(
      await Promise.all(['## Notes ##', '# C#', '# Only #1 #  ', '####\n# Second'].map(title)),
      ['Notes', 'C#', 'Only #1', 'Second'],
    );
  });

  it('removes characters that cannot be stored', async () => {
    const { text } = await extract({
      source: Buffer.from(`one\r\ntwo\rthree\u0000\u0007${'x'.repeat(300)}`),
    });
    assert.equal(text, `one\ntwo\nthree${'x'.repeat(300)}`);
  });

  it('removes the codes of a terminal, which hide words from the search', async () => {
    const link = '\u001b]8;;https://example.org\u0007the log\u001b]8;;\u001b\\';
    const { text, metadata } = await extract({
      source: `# \u001b[1mLog\u001b[0m\n\n\u001b[32mINFO\u001b[0m Größe: \u001b[1;38;2;9;9;9mstarted\u001b(B\u001b[m, see ${link} [0m]`,
      name: 'server.md',
    });
    assert.equal(metadata['title'], 'Log');
    assert.equal(text, '# Log\n\nINFO Größe: started, see the log [0m]');
  });

  it('finds the language of a text, and not one that a few words resemble', async () => {
    const languages = await Promise.all(
      [
        'The brilliantly simple, babel-less, bundle-less ECMAScript module loader.',
        'This package reads a json file and checks it before it starts the server. '.repeat(9),
        'Biblioteca este deschisa zilnic si oferta ei este gratuita pentru copii si scolari. '.repeat(9),
        'La biblioteca abre a las nueve.',
        'Kniha leží na stole a dveře jsou otevřené.',
      ].map(async (source) => (await extract({ source, name: 'a.txt' })).metadata['language']),
    );
    assert.deepEqual(languages, ['en', 'en', 'ro', 'es', 'cs']);
  });
});
