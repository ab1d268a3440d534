/** Words that say nothing about a text's subject; related forms of them would only waste space. */
const common = new Set(
  (
    'the and for are was not you all with that this from have has had can will but they his her its our their your ' +
    'what when where which who how why does did into than then them there these those been were would could should ' +
    'der die das und ist ein eine einen einem einer den dem des von mit auf fur im zum zur sich nicht auch als ' +
    'wie wird werden sind war hat haben bei oder aus nach vor les des une est pas que qui dans pour sur par los las ' +
    'del una con por'
  ).split(' '),
);

const latin = /^[a-z]+$/;
const cyrillic = /^[\u0400-\u04ff]+$/;
const arabic = /^[\u0621-\u064a]+$/;
const hangul = /^[\uac00-\ud7a3]+$/;
const ideographs = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々]+$/u;
const shortest = 3;

/** Endings of English, German and the Romance languages, in the order in which they are tried. */
const latinEndings = ['ings', 'ing', 'edly', 'ed', 'ern', 'er', 'em', 'en', 'es', 'e', 's'] as const;
/** Endings of Russian cases. Like all endings, they are compared with folded words, in which й is и. */
const cyrillicEndings =
  'ями ами ыми ими ого его ому ему ях ах ых их ям ам ым им ем ом ев ов а е и о у ы ю я ь'.split(' ');
/** Based on light10 (Larkey, Ballesteros and Connell, 2007), with yeh and heh for the variants that `fold` replaces. */
const arabicBeginnings = ['وال', 'بال', 'كال', 'فال', 'ال', 'لل', 'و'] as const;
const arabicEndings = ['ها', 'ان', 'ات', 'ون', 'ين', 'يه', 'ه', 'ي'] as const;
const koreanParticles = '에서는 에서 에게 으로 까지 부터 하고 은 는 이 가 을 를 에 의 와 과 도 로'.split(' ');

/**
 * The common stem of related forms of a word, such as plurals, cases and participles. Deliberately light, since a false
 * match only ranks below the word itself. Null if the word has none.
 *
 * @param word A folded word.
 */
export function stemOf(word: string): string | null {
  const known = stems.get(word);
  if (known !== undefined) return known;
  const stem = makeStem(word);
  if (stems.size >= mostStems) stems.clear();
  stems.set(word, stem);
  return stem;
}

/** A text repeats most of its words, and a lookup takes a fraction of the time. */
const stems = new Map<string, string | null>();
const mostStems = 20_000;

function makeStem(word: string): string | null {
  if (latin.test(word)) return word.length < shortest || common.has(word) ? null : latinStem(word);
  if (cyrillic.test(word)) return cyrillicStem(word);
  if (arabic.test(word)) return arabicStem(word);
  if (hangul.test(word)) return without(word, koreanParticles, 1);
  return null;
}

/** Returns each pair of adjacent characters of a word in a script without spaces; none for other words. */
export function pairsOf(word: string): readonly string[] {
  if (!ideographs.test(word)) return [];
  const letters = Array.from(word);
  return letters.slice(1).map((letter, index) => `${letters[index] ?? ''}${letter}`);
}

export function isIdeographic(word: string): boolean {
  return ideographs.test(word);
}

/** Plurals in -is or -us; most words with these endings are singular, such as "analysis", "status" and German "Haus". */
const shortPlural = /^[a-z][^a][iu]s$/;
const longerPlurals = new Set(
  'taxis menus akkus gurus kiwis alibis bikinis rabbis safaris azubis'.split(' '),
);
/** Plurals in -ses of words in -sis: analyses, hypotheses, crises, diagnoses. */
const pluralOfSis = /(?:ly|the|cri|gno)ses$/;

function isSingular(word: string): boolean {
  return /(?:ss|us|is)$/.test(word) && !shortPlural.test(word) && !longerPlurals.has(word);
}

function latinStem(word: string): string {
  if (pluralOfSis.test(word)) return `${word.slice(0, -2)}is`;
  let stem = word.endsWith('ies') && word.length > shortest + 1 ? `${word.slice(0, -3)}y` : word;
  for (;;) {
    const ending = latinEndings.find(
      (candidate) => stem.endsWith(candidate) && stem.length - candidate.length >= shortest,
    );
    if (ending === undefined || (ending === 's' && isSingular(stem))) return stem;
    stem = stem.slice(0, -ending.length);
    const isDoubled = /^(ing|ings|ed|er)$/.test(ending) && /([bdgmnprt])\1$/.test(stem);
    if (isDoubled && stem.length > shortest) stem = stem.slice(0, -1);
  }
}

function arabicStem(word: string): string {
  const beginning = arabicBeginnings.find(
    (candidate) => word.startsWith(candidate) && word.length - candidate.length >= shortest,
  );
  return without(beginning === undefined ? word : word.slice(beginning.length), arabicEndings, shortest);
}

/** Removes endings one after the other: some forms have several, and some words end like one: "система", "систем". */
function cyrillicStem(word: string): string {
  const stem = without(word, cyrillicEndings, shortest);
  return stem === word ? stem : cyrillicStem(stem);
}

function without(word: string, endings: readonly string[], least: number): string {
  const ending = endings.find(
    (candidate) => word.endsWith(candidate) && word.length - candidate.length >= least,
  );
  return ending === undefined ? word : word.slice(0, -ending.length);
}
