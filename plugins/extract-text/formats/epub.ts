import { posix } from 'node:path';
import type { Archive } from '../office/archive.js';
import { fileFault } from '../failures.js';
import type { Extractor } from '../document.js';
import { decodeText } from '../encoding.js';
import { charsetOf } from '../html/charset.js';
import { writeMarkdown } from '../html/to-markdown.js';
import { htmlOf } from '../html/xhtml.js';
import { visitXml, xmlValues } from '../office/xml.js';
import { parseTree } from '../html/tree.js';

interface Package {
  /** The chapters' files in reading order. */
  readonly chapters: readonly string[];
  readonly encrypted: ReadonlySet<string>;
}

/**
 * Media types of chapters: pages, those of the older Open eBook, talking books, drawings, and all other XML. Only files in
 * the reading order are compared with it, so no other XML of the book matches.
 */
const readable = /html|xml|oeb1-document/i;

/** Extracts an EPUB's chapters in reading order (https://www.w3.org/TR/epub-33/). */
export const extractEpub: Extractor = async (document, out) => {
  const archive = await document.archive();
  const packageFile = await packageFileOf(archive);
  const { chapters, encrypted } = await readPackage(archive, packageFile);
  for (const [index, chapter] of chapters.entries()) {
    if (encrypted.has(chapter)) throw fileFault('ENCRYPTED_FILE', 'The book is protected against copying');
    out.page();
    const bytes = await archive.bytes(chapter);
    const { text } = decodeText(bytes, charsetOf(bytes));
    writeMarkdown(parseTree(htmlOf(text)).root, out);
    document.progress((index + 1) / chapters.length, `Chapter ${index + 1} of ${chapters.length}`);
  }
  const found = await xmlValues(await archive.pieces(packageFile), ['title', 'creator', 'language', 'date']);
  return {
    title: found.title,
    author: found.creator,
    language: found.language,
    createdAt: found.date,
    pageCount: chapters.length,
    markdown: true,
  };
};

async function packageFileOf(archive: Archive): Promise<string> {
  let path: string | undefined;
  await visitXml(await archive.pieces('META-INF/container.xml'), {
    open: ({ name, attributes }) => {
      if (name === 'rootfile') path ??= attributes['full-path'];
    },
  });
  if (!path) throw fileFault('UNREADABLE_FILE', 'The book does not name its package file');
  return path;
}

async function readPackage(archive: Archive, packageFile: string): Promise<Package> {
  const files = new Map<string, string>();
  const spine: string[] = [];
  await visitXml(await archive.pieces(packageFile), {
    open: ({ name, attributes: { id, href, idref, 'media-type': type } }) => {
      if (name === 'item' && id && href && readable.test(type ?? '')) {
        files.set(id, posix.join(posix.dirname(packageFile), pathOf(href)));
      } else if (name === 'itemref' && idref) {
        spine.push(idref);
      }
    },
  });
  // Reads a chapter that is referenced several times only once, so that the work stays proportional to the book.
  const chapters = new Set(spine.flatMap((id) => archive.find(files.get(id) ?? '') ?? []));
  return { chapters: [...chapters], encrypted: await encryptedFiles(archive) };
}

/** The encrypted files. Freely readable books often have obfuscated fonts, so only files that are read matter. */
async function encryptedFiles(archive: Archive): Promise<ReadonlySet<string>> {
  const files = new Set<string>();
  if (!archive.has('META-INF/encryption.xml')) return files;
  await visitXml(await archive.pieces('META-INF/encryption.xml'), {
    open: ({ name, attributes }) => {
      if (name === 'CipherReference' && attributes['URI'])
        files.add(archive.find(pathOf(attributes['URI'])) ?? '');
    },
  });
  return files;
}

/** Returns the path of a reference. Some books have unescaped `%` in the names of their files. */
function pathOf(reference: string): string {
  try {
    return decodeURIComponent(reference);
  } catch {
    return reference;
  }
}
