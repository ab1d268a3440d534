import { basePathOf } from '../../core/base-path.js';
import type { Config } from '../../runtime/settings/config.js';

/** Returns a Location header value: a path below the public URL. */
export function location(
  config: Pick<Config, 'publicUrl'>,
  ...segments: readonly string[]
): { Location: string } {
  return { Location: `${basePathOf(config.publicUrl)}/api/v1/${segments.map(encodeURIComponent).join('/')}` };
}
