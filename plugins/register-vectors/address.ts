import { isAbsolute, resolve } from 'node:path';
import { parseUrl } from '@knowledge-warehouse/plugin/protocol';
import { invalidConfig } from '../failures.js';

export type LanceAddress =
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 's3'; readonly bucket: string; readonly prefix: string };

export type StoreAddress = LanceAddress | { readonly kind: 'chroma'; readonly url: string };

/**
 * Parses a `vector_store_url`. `lancedb:` alone means `defaultFolder`, and relative paths start there. Throws a
 * non-retryable INVALID_CONFIG failure that does not quote the URL.
 */
export function parseAddress(url: string, defaultFolder: string): StoreAddress {
  const s3 = /^lancedb(?::|\+)s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/.exec(url);
  if (s3) return { kind: 's3', bucket: s3[1] ?? '', prefix: (s3[2] ?? '').replace(/^\/+|\/+$/g, '') };
  const path = /^lancedb:(?!\w+:\/\/)(.*)$/.exec(url)?.[1];
  if (path !== undefined && !path.includes('\0')) {
    return { kind: 'folder', path: isAbsolute(path) ? path : resolve(defaultFolder, path) };
  }
  const server = /^https?:\/\//.test(url) ? parseUrl(url) : null;
  if (server && `${server.username}${server.password}${server.search}${server.hash}` === '') {
    return { kind: 'chroma', url: server.href.replace(/\/+$/, '') };
  }
  const forms = 'lancedb:, lancedb:/a/folder, lancedb:s3://bucket/prefix and http(s)://host:port';
  throw invalidConfig('vector_store_url', `must have one of the forms ${forms}`);
}
