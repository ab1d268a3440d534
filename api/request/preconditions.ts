import type { Context } from 'koa';
import { ServiceError } from '../../core/errors.js';

/** The If-Match of a request (RFC 9110 §13.1.1). */
export interface IfMatch {
  /**
   * Throws PRECONDITION_FAILED if the request names tags other than the current one. `current` is called only if
   * needed. It returns the tag, or one per secret, read under the lock of the change; null: the object does not exist.
   */
  require(current: () => Promise<string | readonly string[] | null>): Promise<void>;
}

const entityTags = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;

/** Returns the tags in a header; `*`: any. Invalid tags are ignored. */
function tagsIn(header: string): '*' | readonly string[] {
  return header.trim() === '*' ? '*' : (header.match(entityTags) ?? []);
}

/** Returns the If-Match of this request. Comparison is strong: a weak tag matches nothing. */
export function readIfMatch(ctx: Context): IfMatch {
  const header = ctx.headers['if-match'];
  return {
    async require(current) {
      if (header === undefined) return;
      const etags = await current();
      const tags = tagsIn(header);
      if (etags !== null && (tags === '*' || [etags].flat().some((etag) => tags.includes(etag)))) return;
      throw new ServiceError(
        'PRECONDITION_FAILED',
        'If-Match does not match the current ETag: read the object again before you retry.',
      );
    },
  };
}

/**
 * Whether the If-None-Match (RFC 9110 §13.1.2) of a GET names the tag of its response, so that 304 suffices. Comparison
 * is weak.
 */
export function isNotModified(ctx: Context, etag: string | undefined): boolean {
  const header = ctx.headers['if-none-match'];
  if (header === undefined || etag === undefined || (ctx.method !== 'GET' && ctx.method !== 'HEAD'))
    return false;
  const tags = tagsIn(header);
  return tags === '*' || tags.some((tag) => tag.replace(/^W\//, '') === etag);
}
