/** At most this many characters (UTF-16 code units) as well-formed text: never half of a surrogate pair. */
export function clip(text: string, length: number): string {
  return text
    .slice(0, length)
    .replace(/\p{Surrogate}$/u, '')
    .toWellFormed();
}
