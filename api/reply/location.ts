import type { Config } from '../../runtime/settings/config.js';

/** Returns a Location header value: a path below the public URL. */
export function location(
  config: Pick<Config, 'publicUrl'>,
  ...segments: readonly string[]
): { Location: string } {
  const base = new URL(config.publicUrl).pathname.replace(/\/$/, '');
  return { Location: `${base}/api/v1/${segments.map(encodeURIComponent).join('/')}` };
}
