import { readFileSync } from 'node:fs';
import { compress, type Compressed } from '../compressed.js';
import { readAssets, type Assets } from './assets.js';

/** The page at /docs and the files it loads. */
export interface Docs {
  /** `hasSession`: the request has a session cookie, so the page asks for the session's owner. */
  page(hasSession: boolean): Compressed;
  assets(): Assets;
}

/** The page loads its own files and calls its own origin, nothing else. */
export const docsHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-cache',
};

/** Creates the page. Its files are read on first use: most processes never need them. */
export function createDocs(): Docs {
  let assets: Assets | undefined;
  const pages = new Map<boolean, Compressed>();
  const readOnce = (): Assets => (assets ??= readAssets());
  return {
    assets: readOnce,
    page(hasSession) {
      const known = pages.get(hasSession);
      if (known !== undefined) return known;
      const text = readFileSync(new URL('./browser/page.html', import.meta.url), 'utf8')
        .replaceAll('{folder}', `docs/assets/${readOnce().version}/`)
        .replace('{session}', String(hasSession));
      const page = compress(text);
      pages.set(hasSession, page);
      return page;
    },
  };
}
