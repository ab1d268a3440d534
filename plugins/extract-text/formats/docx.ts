import { createRequire } from 'node:module';
import mammoth from 'mammoth';
import { Archive } from '../archive.js';
import type { Extractor } from '../document.js';
import { writeMarkdown } from '../html-to-markdown.js';
import { officeCount, officeProperties } from '../ooxml.js';
import { parsePage } from '../page.js';

// Mammoth compares each of its warnings with all others before it. Nobody reads them here: it is to keep none.
const { Result } = createRequire(import.meta.url)('mammoth/lib/results.js') as {
  Result: { prototype: object };
};
Object.defineProperty(Result.prototype, 'messages', { get: () => [], set() {} });

export const extractDocx: Extractor = async ({ source, maxUnpackedBytes }, out) => {
  const archive = await Archive.open(source, maxUnpackedBytes);
  // Mammoth unpacks what it reads without a limit: this has counted it before. It leaves media alone.
  await archive.check(archive.names.filter((name) => /\.(xml|rels)$/i.test(name)));
  const { value: html } = await mammoth.convertToHtml(
    { buffer: source.read(0, source.sizeBytes) },
    {
      convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: '' })),
      externalFileAccess: false,
    },
  );
  writeMarkdown(parsePage(html).body, out);
  return { ...(await officeProperties(archive)), pages: await officeCount(archive, 'Pages'), markdown: true };
};
