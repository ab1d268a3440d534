import type { Context } from 'koa';
import { ServiceError } from '../../core/errors.js';
import { unreadableSource } from '../../storage/object-store/unreadable.js';
import type { Resource } from '../../storage/resources/resources.js';
import type { ApiDeps } from '../deps.js';
import { found } from '../lookups/found.js';
import { isNotModified } from '../request/preconditions.js';
import type { Reply } from '../route.js';
import { contentDisposition } from './content-disposition.js';
import { openNewest } from './open-newest.js';
import { replyWithBytes } from './stored-bytes.js';

/**
 * Replies with the bytes of a resource's source. If a run fetched the URL again after the row was read, reads the row
 * again. Throws NOT_FOUND, RESOURCE_PROCESSING, RANGE_NOT_SATISFIABLE, SOURCE_UNREADABLE and STORAGE_UNAVAILABLE.
 */
export async function replyWithSource(
  koa: Context,
  { reads, objectStore }: Pick<ApiDeps, 'reads' | 'objectStore'>,
  id: string,
): Promise<Reply> {
  const read = async (): Promise<Resource> => found(await reads.resource(id), 'resource', id).resource;
  return await openNewest(read, async (resource): Promise<Reply> => {
    const { object_key, size_bytes, sha256 } = resource;
    if (object_key === null || size_bytes === null) throw notStored(resource);
    const headers = headersOf(resource);
    if (isNotModified(koa, headers.ETag)) return { status: 304, headers };
    return await replyWithBytes(koa, objectStore, {
      ...{ object_key, size_bytes, sha256, headers },
      mediaType: resource.media_type ?? 'application/octet-stream',
      unreadable: unreadableSource(resource),
    });
  });
}

function notStored({ status }: Resource): ServiceError {
  return status === 'PROCESSING'
    ? new ServiceError('RESOURCE_PROCESSING', 'The URL of this resource has not been fetched yet; wait.')
    : new ServiceError('NOT_FOUND', 'The URL of this resource was never fetched, so it has no bytes.');
}

/** Media types that browsers show without running scripts. Excludes SVG, which may contain scripts. */
const shown = /^(?:application\/pdf|text\/plain|image\/(?!svg\+xml)[a-z0-9.+-]+)(?:;|$)/;

/** Returns headers that let the page show the bytes in a frame. No scripts run there or when opened directly. */
function headersOf({ name, media_type: type, sha256 }: Resource): Readonly<Record<string, string>> {
  const disposition = type !== null && shown.test(type.toLowerCase()) ? 'inline' : 'attachment';
  return {
    ...(sha256 !== null && { ETag: `"${sha256}"` }),
    'content-disposition': contentDisposition(disposition, name),
    'content-security-policy':
      "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'",
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'SAMEORIGIN',
  };
}
