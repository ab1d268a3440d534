import assert from 'node:assert/strict';
import { startTurns } from '../../core/in-turns.js';
import { parseQuery } from '../../runtime/search/query.js';
import { fold } from '../../runtime/search/words/fold.js';
import { toIndexText } from '../../runtime/search/words/index-text.js';
import { stemOf } from '../../runtime/search/words/related.js';
import { wordsOf } from '../../runtime/search/words/split.js';

/** Queries and the words that count, separated by " → ". */
const queries: Readonly<Record<string, string>> = {
  English: `
    AI policy → ai policy
    How do we use AI → use ai
    how do we use ai → use ai
    IT security → it security
    it security → it security
    US TAX LAW → us tax law
    can I use it in the US → use us
    tell us how it works → tell works
    AI 政策 → ai 政策
    Vietnam war → vietnam war
    when did the war begin → war begin
    what was the cold war → cold war
    vitamin E → vitamin e
    vitamin e deficiency in adults → vitamin e deficiency adults
    Vitamin A → vitamin a
    recycling bin → recycling bin
    a man with a hat → man hat
    father and son → father son
    the original sin → original sin
    how to pour concrete → pour concrete
    the era of steam → era steam
    why do cells die → cells die
    fur coats → fur coats
    Hotels near Lake Como → hotels near lake como
    vi editor → vi editor
    cats AND dogs → cats dogs
    HOW to install → install
    How To Write A Book → write book
    The Who → the who`,
  German: `
    Wo war der Zeppelin? → zeppelin
    der Zeppelin → zeppelin
    Was war der Grund → grund
    Wie war die Reise → reise
    Spiele für Kinder → spiele kinder
    Wie brenne ich Ton → brenne ton
    Wie lautet die These → lautet these
    Wer hat den Motor erfunden → motor erfunden`,
  French: `
    où est la gare → gare
    Comment installer un serveur → installer serveur
    qui a gagné la guerre → gagne guerre
    c'est pour mon fils → c fils
    recette de thé glacé → recette the glace
    quel est le prix de l'or → prix l or`,
  Spanish: `
    dónde está la estación → estacion
    ¿A qué hora sale el tren? → hora sale tren
    cómo se hace el pan → hace pan
    cuándo fue la guerra → guerra
    qué era el muro → muro
    el mes de mayo → mes mayo`,
  Italian: `
    dove si trova la stazione → trova stazione
    come si fa il pane → fa pane
    chi ha vinto la guerra → vinto guerra`,
  Portuguese: `
    como fazer isso sem o carro → fazer carro
    hotéis em São Paulo → hoteis sao paulo`,
  Dutch: `
    waar is het station → station
    hoe werkt een warmtepomp → werkt warmtepomp
    hoe laat gaat de trein van Utrecht → laat gaat trein utrecht`,
  Russian: `
    Война И Мир → воина мир
    где мой вокзал → вокзал
    какой пароль → пароль
    кто и когда построил этот мост → построил мост`,
  others: `
    هل يجوز الوضوء من ماء البحر → يجوز الوضوء ماء البحر
    如何修改文件的访问权限 → 修改 文件 访问 权限
    ファイルの所有者を変更するには → ファイル 所有者 変更`,
};

describe('a query', () => {
  for (const [language, table] of Object.entries(queries)) {
    it(`loses its stop words, but no content words: ${language}`, () => {
      const lines = table.trim().split('\n');
      const found = lines.map((line) => {
        const [query = ''] = line.trim().split(' → ');
        return `${query} → ${parseQuery(query).words.join(' ')}`;
      });
      assert.deepEqual(
        found,
        lines.map((line) => line.trim()),
      );
    });
  }

  it('has exclusions whatever signs they begin with, and no phrase after inches', () => {
    const read = (query: string): string => {
      const { words, phrases, excluded } = parseQuery(query);
      const all = [words, phrases.flatMap((one) => one.words), excluded.flatMap((one) => one.words)];
      return all.map((some) => some.join(' ')).join(' | ');
    };
    for (const fox of ['-fox', '-.fox', '-/fox', '-@fox', '-_fox', '-$FOX', '-(fox)', '-«fox»'])
      assert.equal(read(`heron ${fox}`), 'heron |  | fox', fox);
    assert.equal(read('heron --fox -- - -? low-fox -"" "red fox'), 'heron fox low | red fox | ');
    assert.equal(read('5" disk drive'), '5 disk drive |  | ');
    assert.equal(read('"hard drive" 5" disk'), '5 disk | hard drive | ');
    assert.equal(read('5" and 3.5" disk'), '5 3 disk |  | ');
    assert.equal(read('12" "red vinyl" -5" x'), '12 x | red vinyl | 5');
    assert.equal(read('heron"red fox"'), 'heron | red fox | ');
    for (const plain of ['heron －fox－', 'heron −fox', 'heron ->fox', 'heron -=fox', 'heron -*-fox'])
      assert.equal(read(plain), 'heron fox |  | ', plain);
  });

  it('has each phrase and each sequence without a break once, however often it is written', () => {
    const { unbroken, phrases, excluded } = parseQuery(
      `${'さむかった '.repeat(20)}${'"さむかった" "さむ かった" -"さむかった" '.repeat(20)} "さ"`,
    );
    const letters = ['さ', 'む', 'か', 'っ', 'た'];
    assert.deepEqual(unbroken, [letters]);
    assert.deepEqual([phrases[0]?.letters, phrases[1]?.letters, phrases.length], [letters, ['さ'], 2]);
    assert.deepEqual([excluded[0]?.letters, excluded.length], [letters, 1]);
  });
});

describe('a text', () => {
  const same: Readonly<Record<string, readonly string[]>> = {
    Passwort: ['Pass\u00adwort', 'Pass\u00ad\nwort', 'Pass\u200dwort', 'Pass\u2060wort', '\ufeffPasswort'],
    パスワード入門: [
      'パス\u00adワード入門',
      'ﾊﾟｽﾜｰﾄﾞ入門',
      'パスワー\u2060ド\u00ad\n入門',
      'ハ\u309aスワート\u3099入門',
    ],
    文件访问权限: ['文\u00ad件访问权限', '文件访\u2060问权限'],
    ภาษาไทย: ['ภา\u00adษาไทย', 'ภาษ\u2060าไทย'],
  };
  for (const [text, written] of Object.entries(same))
    it(`has the same words with invisible characters or in half width: ${text}`, () => {
      for (const other of written) {
        const words = wordsOf(other);
        assert.deepEqual(
          words.map(({ word }) => word),
          wordsOf(text).map(({ word }) => word),
        );
        for (const { word, start, end } of words) assert.equal(fold(other.slice(start, end)), word);
        assert.equal(words.at(-1)?.end, other.length);
      }
    });
});

describe('the index entry of a text', () => {
  it('has the words that lines may divide in both readings, each in its phrases', async () => {
    const text = 'one two three four five six docu-\nment a well-\nknown Meyer-\nLandrut seven';
    const entry = (await toIndexText(text, false, startTurns()))
      .split(' ')
      .filter((one) => !one.startsWith('~'));
    assert.equal(
      entry.join(' '),
      'one two three four five six docu ment a well known meyer landrut seven ' +
        'two three four five six document a wellknown meyer landrut seven',
    );
  });
});

describe('related forms', () => {
  const forms = [
    'printing printed printer prints',
    'Passwort Passwörter Passworte',
    'русский русская русское русские русского русскому русским русских русскую русской русскими',
    'синий синяя синее синего синих',
    'красный красная красное красного красных',
    'история истории историю историей историй историями',
    'музей музея музеем музеи музеев',
    'случай случая случаев',
    'режим режима режимом режимы',
    'система системы систем',
    'слово слова слов словами',
    'كتاب الكتاب والكتاب',
    '도서관 도서관에서 도서관은',
  ];
  for (const line of forms)
    it(`of one word have a common stem: ${line}`, () => {
      const stems = line.split(' ').map((word) => stemOf(fold(word)));
      assert.equal(new Set(stems).size, 1, stems.join(' '));
    });
});
