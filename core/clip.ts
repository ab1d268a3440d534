/** At most this many characters (UTF-16 code units) as well-formed text: never half of a surrogate pair. */
export function clip(text: string, length: number): string {
  const kept = text.length > length ? text.slice(0, length).replace(/\p{Surrogate}$/u, '') : text;
  return kept.toWellFormed();
}
