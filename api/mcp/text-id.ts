import { isUuid } from '../../core/ids.js';

/**
 * A text, or a place in it, as a client names it in one word: `fetch` of deep-research clients takes nothing but an id.
 * Offsets count Unicode code points.
 */
export interface TextId {
  readonly resourceId: string;
  /** Where to begin. */
  readonly start: number;
  /** Behind the last code point of what was found there; null: read on from `start`. */
  readonly end: number | null;
}

/** `<resource>`, `<resource>#<start>` or, for what a search found, `<resource>#<start>-<end>`. */
export function formatTextId({ resourceId, start, end }: TextId): string {
  if (end !== null) return `${resourceId}#${start}-${end}`;
  return start === 0 ? resourceId : `${resourceId}#${start}`;
}

/** What an id names; null when it is none of `formatTextId`. The URI of a resource is taken as well. */
export function parseTextId(text: string): TextId | null {
  const id = text.trim().replace(/^kw:\/\/resources\//, '');
  const [, resourceId = '', start = '0', end] = /^([^#]+)(?:#(\d{1,12})(?:-(\d{1,12}))?)?$/.exec(id) ?? [];
  if (!isUuid(resourceId)) return null;
  return {
    resourceId: resourceId.toLowerCase(),
    start: Number(start),
    end: end === undefined ? null : Number(end),
  };
}

/** The URI of a resource's text, from an offset on. */
export function textUri(resourceId: string, offset = 0): string {
  return `kw://resources/${resourceId}${offset === 0 ? '' : `?offset=${offset}`}`;
}

/** What the URI of a text names, or null. */
export function parseTextUri(uri: string): TextId | null {
  const [, resourceId = '', offset = '0'] =
    /^kw:\/\/resources\/([^/?#]+)(?:\?offset=(\d{1,12}))?$/.exec(uri) ?? [];
  return isUuid(resourceId)
    ? { resourceId: resourceId.toLowerCase(), start: Number(offset), end: null }
    : null;
}
