import { UsageError } from '../exit.js';
import { parseUrl } from '@knowledge-warehouse/plugin/protocol';

/**
 * Returns the base of a service's URLs, without a trailing slash or the API's path.
 *
 * @throws UsageError if it is not an http or https URL, or contains a password
 */
export function baseUrl(text: string): string {
  const scheme = /^(localhost|127\.)/.test(text) ? 'http' : 'https';
  const given = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `${scheme}://${text}`;
  const url = parseUrl(given);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UsageError(`${text} is not an http or https URL.`);
  if (url.username !== '' || url.password !== '')
    throw new UsageError(
      'A URL must not contain a user or password, which others could see: use "kw login".',
    );
  const path = url.pathname.replace(/\/+$/, '').replace(/\/api\/v1$/, '');
  return `${url.origin}${path}`;
}

/** Whether a URL points to this machine. */
export const isLoopback = (url: string): boolean =>
  /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);

/** Whether traffic to this URL is unencrypted. */
export const isUnprotected = (base: string): boolean => base.startsWith('http:') && !isLoopback(base);
