import { fold } from './words/fold.js';
import type { Word } from './words/split.js';

/**
 * Stop words: articles, pronouns, prepositions, conjunctions, auxiliaries and question words. They do not tell what a
 * question is about, but some are rare in manuals and reports, so that a ranking by rarity would give "how" or "my" too
 * much weight. Folded like queries.
 */
const byLanguage = {
  english:
    'a an and any are as at be been being but by can could did do does doing for from had has have having he her here him ' +
    'his how i if in into is it its me my of on or our ought she should so some such than that the their them then there ' +
    'these they this those to too us was we were what when where which while who whom whose why will with would you your',
  german:
    'aber als am an auch auf aus bei beim bin bis bist da dabei damit dann das dass dein deine dem den denn der des dessen ' +
    'dich die dies diese diesem diesen dieser dieses dir doch dort du durch ein eine einem einen einer eines er es euch ' +
    'fur hab habe haben hat hatte hier ich ihm ihn ihr ihre ihrem ihren ihrer im in indem ins ist ja jede jeder jedes kann ' +
    'kein keine konnen man mein meine meinem meinen meiner mich mir mit muss nach nicht noch nun nur ob oder ohne sein seine ' +
    'seinem seinen seiner sich sie sind so sodass soll sollen um und uns unser unter viel vom von vor war waren warum was ' +
    'wann welche welchem welchen welcher welches wenn wer werde werden wie wieder wieviel will wir wird wo wurde zu zum zur',
  french:
    'ai au aux avec ce ces cette dans de des du elle en est et etait etre eux il ils je la le les leur leurs lui ma mais me ' +
    'mes mon ne nos notre nous on ont ou par pas pour qu que quel quelle quels qui quoi sa se ses son sont sur ta te tes ton ' +
    'tu un une vos votre vous comment pourquoi quand',
  spanish:
    'al como con cual cuando de del donde el ella ellos en entre era es esta estan este esto fue ha hay la las le les lo los ' +
    'mas me mi mis muy no nos o para pero por porque que quien se si sin sobre son su sus te tu un una uno unos y yo',
  italian:
    'ai al alla alle che chi come con cosa cui da dal dalla degli dei del della delle di dove e ed gli ha ho i il io la le lei ' +
    'lo loro lui mi mia mio ne nei nel nella non o per perche piu quale quando quella quello questa questo se si sono su sul ' +
    'sulla suo ti tra tu un una uno vi',
  portuguese:
    'ao aos as com como da das de do dos e ela ele em entre era essa esse esta este eu foi isso ja mais mas me meu minha na ' +
    'nas nao no nos o os ou para pela pelo por qual quando que quem se sem seu sua sao tem um uma voce',
  dutch:
    'aan als bij dan dat de deze die dit door een en er het hij hoe ik in is je kan maar met mijn naar niet nog of om ook op ' +
    'over te tot uit van voor waar wanneer was wat we welke wie worden wordt zich zij zijn',
  russian:
    'а без бы был была были было быть в вам вас во вот все вы где да для до его ее если есть еще же за и из или им их к как ' +
    'какие какой когда кто ли мне мои мой мы на над не нет ни но о об он она они от по под при с свой себя со так такой там ' +
    'то того тоже только ты у уже что чтобы эта эти это этот я',
  arabic:
    'ان انا او اي اين اذا الا الى الي الذي التي الذين ام اما انه انها بعد بل به بها بين تلك ثم حتي حين ذلك عن عند علي علي على ' +
    'عليه عليها غير فان في فيه فيها قبل قد كان كانت كل كم كما كيف لا لان لكن لم لما لماذا له لها لهم لن لو ما ماذا متي مع من منه ' +
    'منها مهما نحن نحو هذا هذه هل هم هنا هو هي و يا',
  japanese:
    'の に は を た が で て と し れ さ も な い や か だ へ う ん ある いる する した して から こと として れる など ない この ' +
    'ため その よう また もの という あり まで られ られる なる これ によって により より による において について できる それ ' +
    'ので のみ における および いう でも たり ます です なら に対して せる これら とき では にて ながら たい どう どの どこ 何 ' +
    'なに どうやって には とは',
  chinese:
    '的 了 和 是 在 我 有 也 就 不 都 到 要 会 着 这 那 这个 那个 怎 怎样 怎么 怎么样 如何 什么 哪 哪个 哪些 哪里 吗 呢 吧 啊 请 请问 为 ' +
    '为了 为什么 与 及 并 并且 或 或者 被 把 将 对 从 给 以 于 之 而 让 使 其 每 个 每个 中 一个 几 多少 我的 你 你的 他 她 它 們 们 個 這 ' +
    '麼 嗎 與 為 對 從 給 讓 會 什麼 怎麼',
  korean:
    '그 이 저 것 수 등 및 또는 그리고 그러나 하지만 어떻게 무엇 왜 언제 어디 누가 어느 있는 하는 대한 위한 있다 한다',
};

/**
 * Stop words that are also content words or names, by the language of the content word: English "war", German "Ton",
 * Spanish "mes". As written, in lower case: English "fur" is not German "für". `any`: words that can be both in one
 * language.
 */
const contentWords: Readonly<Record<string, string>> = {
  any: 'being can it us will',
  english:
    'ai bin com come comment como con dal den die dies dir door dos dove e ed era eu fur hat hay hoe io los man met mia ' +
    'mis nas nun o os par per pour sao são sem si sin son su sur ton tot uno van vi war y',
  german: 'elle los mais met sein these ton tot',
  french: 'maïs or thé these thèse',
  spanish: 'mes par sur té',
  italian: 'era tè',
  portuguese: 'mês são',
  dutch: 'been los maïs man mes ton tot these',
};

/** Words that are written in capitals as operators or for emphasis. */
const emphasized: ReadonlySet<string> = new Set(
  'I AND OR NOT IN THE TO HOW WHAT WHY WHEN WHERE WHICH UND ODER ET OU'.split(' '),
);

const foldedSet = (list: string): ReadonlySet<string> => new Set(list.split(' ').map(fold));
const stopWords = Object.entries(byLanguage).map(([language, list]) => ({
  language,
  words: foldedSet(list),
}));
const contentLanguages = new Map<string, string[]>();
for (const [language, list] of Object.entries(contentWords)) {
  for (const word of list.split(' '))
    contentLanguages.set(word, [...(contentLanguages.get(word) ?? []), language]);
}

/**
 * The words of a query without its stop words. If a stop word may also be a content word, the other stop words decide: it
 * is dropped if the query has more of its language than of each language in which it is a content word. So "war" counts
 * in "world war", but not in "Wo war der Zeppelin?". Abbreviations in capitals count: IT, US, vitamin E.
 *
 * @param text The query, to which the positions of the words refer.
 */
export function withoutStopWords(words: readonly Word[], text: string): readonly Word[] {
  const writtenWords = words.map(({ start, end }) => text.slice(start, end));
  const isAllInCapitals = !/[\p{Ll}\p{Lo}]/u.test(text);
  const isTitle = !writtenWords.some((written) => /^[\p{Ll}\p{Lo}]/u.test(written));
  const isAbbreviation = (index: number): boolean => {
    const written = writtenWords[index] ?? '';
    if (isAllInCapitals || !/^\p{Lu}+$/u.test(written) || emphasized.has(written)) return false;
    return written.length > 1 || (index > 0 && (!isTitle || index === words.length - 1));
  };
  const candidates: { readonly word: Word; readonly contentIn: readonly string[] }[] = [];
  const counts = new Map<string, number>();
  const countOf = (language: string): number => counts.get(language) ?? 0;
  for (const [index, word] of words.entries()) {
    if (isAbbreviation(index)) continue;
    const written = writtenWords[index] ?? '';
    const contentIn = contentLanguages.get(written.normalize('NFC').toLowerCase()) ?? [];
    candidates.push({ word, contentIn });
    if (contentIn.length > 0) continue;
    for (const { language, words: list } of stopWords)
      if (list.has(word.word)) counts.set(language, countOf(language) + 1);
  }
  const dropped = new Set<Word>();
  for (const { word, contentIn } of candidates) {
    const isStopWordOf = ({ language, words: list }: (typeof stopWords)[number]): boolean =>
      list.has(word.word) && contentIn.every((other) => countOf(language) > countOf(other));
    if (stopWords.some(isStopWordOf)) dropped.add(word);
  }
  return words.filter((word) => !dropped.has(word));
}

const { german, dutch, ...others } = byLanguage;
const compounding = foldedSet(`${german} ${dutch}`);
const separating = foldedSet(Object.values(others).join(' '));

/**
 * Whether a text may be in a language that writes compounds as one word: it has as many stop words of such languages as
 * of others, or none.
 *
 * @param words Folded words.
 */
export function mayHaveCompounds(words: readonly string[]): boolean {
  const count = (list: ReadonlySet<string>): number => words.filter((word) => list.has(word)).length;
  return count(compounding) >= count(separating);
}
