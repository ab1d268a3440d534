import type { Config } from '../../runtime/settings/config.js';

/** Returns the address of the page that shows a resource. */
export function resourceUrl({ publicUrl }: Pick<Config, 'publicUrl'>, id: string): string {
  return `${publicUrl.replace(/\/+$/, '')}/resources/${id}`;
}
