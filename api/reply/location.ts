import type { Config } from '../../runtime/settings/config.js';

/** The value of a Location header: a path below the one that the service is reached at. */
export function location(
  config: Pick<Config, 'publicUrl'>,
  ...segments: readonly string[]
): { Location: string } {
  const base = new URL(config.publicUrl).pathname.replace(/\/$/, '');
  return { Location: `${base}/api/v1/${segments.map(encodeURIComponent).join('/')}` };
}
