import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { TestPython } from '../../../test/support/servers/python.js';
import { temporaryFolder } from '../../../test/support/temporary.js';
import { type CorpusEntry, type Format } from './corpus-entries.js';
import { unpackPackages } from './debian.js';
import { cacheFolder, checkHash, downloaded, writeWhole, type Pinned } from './downloaded.js';
import type { SentFile } from '../load/sending.js';

const run = promisify(execFile);

export interface CorpusDocument extends SentFile {
  readonly format: Format;
}

const mediaTypes: Readonly<Record<Format, string>> = {
  pdf: 'application/pdf',
  html: 'text/html',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
};

const tikaJar = (module: string, sha256: string): Pinned => ({
  url: `https://repo1.maven.org/maven2/org/apache/tika/tika-parser-${module}-module/3.2.2/tika-parser-${module}-module-3.2.2-tests.jar`,
  sha256,
});
const jars: Readonly<Record<string, Pinned>> = {
  'tika-microsoft': tikaJar('microsoft', 'e0e81f322ccc6c6e77013c8e473688d6f276c2b1059d14e27aa7cb937e8cff07'),
  'tika-pdf': tikaJar('pdf', '127e8683306babb444c3675f1e6a4c04a394d5a75924281146c3b184d75fe80e'),
};

/**
 * Returns the first documents of each format. Missing ones are fetched into the user's cache folder, with the tools of
 * a Debian system and from Maven Central.
 */
export async function fetchCorpus(
  entries: readonly CorpusEntry[],
  ofEach: number,
  python: TestPython,
  say: (text: string) => void,
): Promise<CorpusDocument[]> {
  const missing = entries.filter((entry) => !existsSync(cachePath(entry)));
  if (missing.length > 0) await fill(missing, python, say);
  const taken = new Map<Format, number>();
  return entries.flatMap((entry) => {
    const { format, path } = entry;
    const count = taken.get(format) ?? 0;
    if (count >= ofEach) return [];
    taken.set(format, count + 1);
    const content = readFileSync(cachePath(entry));
    // Pandoc's output has no known hash; the hash of its input is checked instead.
    if (!isMade(entry)) checkHash(path, content, entry.sha256);
    const fileName = `${basename(path, `.${fileFormat(path)}`)}.${format}`;
    return [{ format, fileName, mediaType: mediaTypes[format], content }];
  });
}

async function fill(
  missing: readonly CorpusEntry[],
  python: TestPython,
  say: (text: string) => void,
): Promise<void> {
  const folder = temporaryFolder();
  const origins = new Set(missing.map(({ from }) => from));
  const packages = [...origins].filter((from) => !Object.hasOwn(jars, from));
  if (packages.length > 0) await unpackPackages(packages, folder, say);
  for (const [name, jar] of Object.entries(jars))
    if (origins.has(name))
      await run(python.python, ['-m', 'zipfile', '-e', await downloaded(jar, say), folder]);
  for (const entry of missing) {
    const file = join(folder, entry.path);
    const content = readFileSync(file);
    checkHash(entry.path, content, entry.sha256);
    writeWhole(cachePath(entry), isMade(entry) ? await write(entry, file, python) : content);
  }
}

async function write({ format }: CorpusEntry, page: string, python: TestPython): Promise<Buffer> {
  const program = 'import pypandoc; print(pypandoc.get_pandoc_path())';
  const pandoc = (await run(python.python, ['-c', program])).stdout.trim();
  const made = join(temporaryFolder(), `made.${format}`);
  await run(pandoc, ['--from=html', `--to=${format}`, `--output=${made}`, basename(page)], {
    cwd: dirname(page),
    env: { SOURCE_DATE_EPOCH: '0', LANG: 'C.UTF-8' },
  });
  return readFileSync(made);
}

const fileFormat = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

const isMade = ({ format, path }: CorpusEntry): boolean => fileFormat(path) !== format;

const cachePath = ({ format, sha256 }: CorpusEntry): string => join(cacheFolder(), `${sha256}.${format}`);
