import { randomBytes } from 'node:crypto';
import { escapeHtml } from './html.js';
import { tagOf } from './web-folder.js';

/**
 * Returns the page's policy: run our own scripts and styles and call our own origin, nothing else. Styles that a
 * library creates at run time carry the nonce; Trusted Types prevent text from becoming script or markup.
 */
const policyWith = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    // Originals that the page loaded, in the browser's viewer.
    'frame-src blob:',
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');

/** One response with the page. */
export interface RenderedPage {
  readonly html: string;
  readonly policy: string;
}

export interface WebPage {
  /** The tag of the page and its policy without a nonce. */
  readonly etag: string;
  /** Renders the page with a new nonce. */
  render(): RenderedPage;
}

/**
 * Creates the page from a built `index.html`, below a base path. Views have paths of any depth, so asset paths are made
 * absolute.
 */
export function createWebPage(built: string, basePath: string): WebPage {
  const base = escapeHtml(basePath);
  const index = built.replaceAll('__BASE_PATH__', base).replace(/(?<=\b(?:src|href)=")\.\//g, `${base}/`);
  return {
    etag: tagOf(policyWith('') + index),
    render() {
      const nonce = randomBytes(16).toString('base64url');
      return { html: index.replaceAll('__CSP_NONCE__', nonce), policy: policyWith(nonce) };
    },
  };
}
