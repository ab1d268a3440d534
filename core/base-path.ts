/** The path of a base URL, used as a prefix for the paths below it: `/kw`, or empty for the root. */
export function basePathOf(publicUrl: string): string {
  return new URL(publicUrl).pathname.replace(/\/+$/, '');
}
