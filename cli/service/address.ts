import { UsageError } from '../exit.js';
import { messageOf, parseServiceUrl } from '@knowledge-warehouse/plugin/protocol';

/**
 * Returns the base of a service's URLs, without a trailing slash or the API's path.
 *
 * @throws UsageError if it is not an http or https URL, or contains a password
 */
export function baseUrl(text: string): string {
  try {
    return parseServiceUrl(text);
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}

/** Whether a URL points to this machine. */
export const isLoopback = (url: string): boolean =>
  /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);

/** Whether traffic to this URL is unencrypted. */
export const isUnprotected = (base: string): boolean => base.startsWith('http:') && !isLoopback(base);
