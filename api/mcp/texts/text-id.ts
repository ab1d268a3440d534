import { clip } from '@knowledge-warehouse/plugin/protocol';
import { isUuid } from '../../../core/ids.js';
import { found } from '../../lookups/found.js';

/**
 * A text, or a place in it, as a single id: the `fetch` tool of deep-research clients takes nothing but an id. Offsets
 * count Unicode code points.
 */
export interface TextId {
  readonly resourceId: string;
  /** The offset at which to begin. */
  readonly start: number;
  /** The offset after the last code point of a search hit; null: read on from `start`. */
  readonly end: number | null;
}

/** Returns `<resource>`, `<resource>#<start>` or, for a search hit, `<resource>#<start>-<end>`. */
export function formatTextId({ resourceId, start, end }: TextId): string {
  if (end !== null) return `${resourceId}#${start}-${end}`;
  return start === 0 ? resourceId : `${resourceId}#${start}`;
}

/** Parses an id from `formatTextId` or the URI of a text. Throws NOT_FOUND for anything else. */
export function readTextId(text: string): TextId {
  const named = parseTextUri(text.trim());
  if (named !== null) return named;
  const id = text.trim().replace(/^kw:\/\/resources\//, '');
  const [, resourceId = '', start = '0', end] = /^([^#]+)(?:#(\d{1,12})(?:-(\d{1,12}))?)?$/.exec(id) ?? [];
  found(isUuid(resourceId) || null, 'resource', clip(id, 100));
  return {
    resourceId: resourceId.toLowerCase(),
    start: Number(start),
    end: end === undefined ? null : Number(end),
  };
}

/** Returns the URI of a resource's text, from an offset on. */
export function textUri(resourceId: string, offset = 0): string {
  return `kw://resources/${resourceId}${offset === 0 ? '' : `?offset=${offset}`}`;
}

/** Parses the URI of a text; null for any other URI. */
export function parseTextUri(uri: string): TextId | null {
  const [, resourceId = '', offset = '0'] =
    /^kw:\/\/resources\/([^/?#]+)(?:\?offset=(\d{1,12}))?$/.exec(uri) ?? [];
  return isUuid(resourceId)
    ? { resourceId: resourceId.toLowerCase(), start: Number(offset), end: null }
    : null;
}
