import { readFileSync } from 'node:fs';
import { compress, type Compressed } from '../compressed.js';
import { readAssets, type Assets } from './assets.js';

/** The page at /docs with what it loads. */
export interface Docs {
  /** `hasSession`: the caller sent the cookie of a session, so the page asks whose it is. */
  page(hasSession: boolean): Compressed;
  assets(): Assets;
}

/** The page loads its own files and calls its own origin, nothing else. */
export const docsHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-cache',
};

/** Reads the files when they are first asked for: most processes never are. */
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
