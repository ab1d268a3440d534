const textLength = 20_000;
const sampleLength = 6000;
const leastLetters = 20;

/** The minimum ratio of the likelihoods of the best and the second language. */
const leastLead = 1.5;
/** The minimum likelihood for a sample that is not short. Real texts of this length have at least twice as much. */
const leastLikelihood = 0.15;
const shortLength = 500;

/** Constructed languages, languages without an ISO 639-1 code, and Latin: they are rare, and some are found in English. */
const ignored = new Set(['ber', 'tlh', 'eo', 'la', 'vo']);

/** Languages that are usually written with accents. Some words of English texts about programs look like theirs. */
const accented = new Set(['cs', 'hu', 'is', 'lt', 'lv', 'pl', 'ro', 'sk', 'tr']);

/** Returns the most likely language of a text as an ISO 639-1 code; null if it is unclear. */
export async function languageOf(text: string): Promise<string | null> {
  // Links, code, numbers and marks have no language. The word "json" makes English look like Czech.
  const sample = text
    .slice(0, textLength)
    .replace(/```[^]*?(?:```|$)|`[^`\n]*`|\]\([^()\s]*\)|https?:\/\/\S+/g, ' ')
    .replace(/[^\p{L}\p{M}\s'’.,。、]+/gu, ' ')
    .replace(/\bjson\b/gi, ' ')
    .slice(0, sampleLength);
  if ((sample.match(/\p{L}/gu) ?? []).length < leastLetters) return null;
  const isShort = sample.length < shortLength;
  const { detectAll } = await import('#bundled/tinyld');
  const guesses = detectAll(sample);
  const isEnglish = /\bthe\b/i.test(sample) && /^[\0-\u007f]*$/.test(sample);
  const usable = guesses.filter(({ lang }) => !ignored.has(lang) && !(isEnglish && accented.has(lang)));
  const [likeliest, next] = usable;
  if (!likeliest || likeliest.accuracy < leastLead * (next?.accuracy ?? 0)) return null;
  // The likelihoods add up to at most 1, so unusable languages leave less to the others.
  const left = guesses.reduce((sum, guess) => (usable.includes(guess) ? sum : sum - guess.accuracy), 1);
  if (!isShort && likeliest.accuracy < leastLikelihood * left) return null;
  return likeliest.lang;
}
