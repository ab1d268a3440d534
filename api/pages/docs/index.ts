import type { OpenApiDocument } from '../../openapi/types.js';
import { compress, type Compressed } from '../compressed.js';
import { readAssets, type Assets } from './assets.js';
import { renderDocs } from './render.js';

/** The page at /docs with what it loads. */
export interface Docs {
  /** `hasSession`: the caller brought the cookie of a session, so the page asks whose it is. */
  page(hasSession: boolean): Compressed;
  assets(): Assets;
}

/** Nothing but the page's own files, and calls to where it came from. */
export const docsHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  'Cache-Control': 'no-cache',
};

/** Made when it is first asked for: most processes never are. */
export function createDocs(document: OpenApiDocument): Docs {
  let assets: Assets | undefined;
  const pages = new Map<boolean, Compressed>();
  const readOnce = (): Assets => (assets ??= readAssets());
  return {
    assets: readOnce,
    page(hasSession) {
      const known = pages.get(hasSession);
      if (known !== undefined) return known;
      const { version, files } = readOnce();
      const scripts = [...files.keys()].filter((name) => name.endsWith('.js'));
      const page = compress(
        renderDocs(document, { folder: `docs/assets/${version}/`, scripts, hasSession }).text,
      );
      pages.set(hasSession, page);
      return page;
    },
  };
}
