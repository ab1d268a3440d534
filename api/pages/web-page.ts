import { randomBytes } from 'node:crypto';
import { escapeHtml } from './html.js';
import { tagOf } from './web-folder.js';

/**
 * The page's policy: run our own scripts and styles and call our own origin, nothing else. Styles that a
 * library creates at run time carry the nonce; Trusted Types prevent text from becoming script or markup.
 */
const policyWith = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    // An original that the page loaded, in the browser's viewer.
    'frame-src blob:',
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');

/** One answer with the page in it. */
export interface RenderedPage {
  readonly html: string;
  readonly policy: string;
}

export interface WebPage {
  /** Of the page and its policy as they are before a nonce is in them. */
  readonly etag: string;
  /** The page with a nonce of its own. */
  render(): RenderedPage;
}

/** The page whose `index.html` this is, below a path. Its views have paths of any depth, so that what it loads is named from the root. */
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
