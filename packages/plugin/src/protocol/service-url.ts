import { parseUrl } from './text.js';

/**
 * Returns the base of a service's URLs, without a trailing slash or the API's path. Without a scheme, it is https, or
 * http for this machine.
 *
 * @throws RangeError if it is not an http or https URL, or contains a user or password
 */
export function parseServiceUrl(text: string): string {
  const scheme = /^(localhost|127\.)/.test(text) ? 'http' : 'https';
  const given = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `${scheme}://${text}`;
  const url = parseUrl(given);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new RangeError(`${text} is not an http or https URL.`);
  if (url.username !== '' || url.password !== '')
    throw new RangeError(
      'A URL must not contain a user or password, which others could see: use an API key.',
    );
  const path = url.pathname.replace(/\/+$/, '').replace(/\/api\/v1$/, '');
  return `${url.origin}${path}`;
}
