const sampleLength = 6000;
const leastLetters = 20;

/** The minimum ratio of the likelihoods of the best and the second language. */
const leastLead = 1.5;

/** Returns the most likely language of a text as an ISO 639-1 code; null if it is unclear. */
export async function languageOf(text: string): Promise<string | null> {
  // Links, code, numbers and marks have no language.
  const sample = text
    .slice(0, sampleLength)
    .replace(/https?:\/\/\S+|`[^`]*`/g, ' ')
    .replace(/[^\p{L}\p{M}\s'’.,。、]+/gu, ' ');
  if ((sample.match(/\p{L}/gu) ?? []).length < leastLetters) return null;
  const { detectAll } = await import('#bundled/tinyld');
  const [likeliest, next] = detectAll(sample);
  if (!likeliest || likeliest.accuracy < leastLead * (next?.accuracy ?? 0)) return null;
  return likeliest.lang;
}
