import type { Context } from 'koa';
import { ServiceError } from '../../core/errors.js';

/** The If-Match of a request (RFC 9110 §13.1.1). */
export interface IfMatch {
  /**
   * Throws PRECONDITION_FAILED when the request names other tags than that of what is there. `current` gives that
   * tag, or one for each secret, read under the lock that the change is made under; null: nothing is there. It is
   * called only when it is needed.
   */
  require(current: () => Promise<string | readonly string[] | null>): Promise<void>;
}

const entityTags = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;

/** The tags that a header names; `*`: any. What is no tag names none. */
function tagsIn(header: string): '*' | readonly string[] {
  return header.trim() === '*' ? '*' : (header.match(entityTags) ?? []);
}

/** The If-Match of this request. Comparison is strong: a weak tag matches nothing. */
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
        'If-Match does not name the current version: read it again, then decide.',
      );
    },
  };
}

/** Whether If-None-Match (RFC 9110 §13.1.2) of a GET names the tag of its answer, so that 304 will do. Comparison is weak. */
export function isNotModified(ctx: Context, etag: string | undefined): boolean {
  const header = ctx.headers['if-none-match'];
  if (header === undefined || etag === undefined || (ctx.method !== 'GET' && ctx.method !== 'HEAD'))
    return false;
  const tags = tagsIn(header);
  return tags === '*' || tags.some((tag) => tag.replace(/^W\//, '') === etag);
}
