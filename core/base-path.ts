/** The path of a base URL, as paths below it begin: `/kw`, or empty where it is the root. */
export function basePathOf(publicUrl: string): string {
  return new URL(publicUrl).pathname.replace(/\/+$/, '');
}
