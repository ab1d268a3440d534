const sampleLength = 6000;
const leastLetters = 20;

/** How much likelier than the next a language must be. */
const leastLead = 1.5;

/** The language a text is most likely written in, as an ISO 639-1 code; null when that cannot be told. */
export async function languageOf(text: string): Promise<string | null> {
  // Links, code, numbers and marks are in no language.
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
