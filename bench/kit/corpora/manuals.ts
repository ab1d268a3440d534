import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../test/support/temporary.js';
import { unpackPackages } from './debian.js';

/** A page of a manual by other authors. */
export interface ManualPage {
  /** The Debian package, and the page's path below its documentation folder. */
  readonly name: string;
  readonly html: Buffer;
}

/** One page of each manual, by Debian package: introductions, indexes, references and tutorials of several tools. */
const pages: readonly (readonly [pkg: string, path: string])[] = [
  ['debian-policy', 'debian-policy/menu-policy.html/ch2.html'],
  ['debian-policy', 'debian-policy/policy.html/ch-controlfields.html'],
  ['maint-guide', 'maint-guide/html/index.en.html'],
  ['developers-reference', 'developers-reference/docs/best-pkging-practices.html'],
  ['apt-doc', 'apt-doc/guide.html/ch4.html'],
  ['aptitude-doc-en', 'aptitude/html/en/ch02s04s05.html'],
  ['bash-doc', 'bash/bashref.html'],
  ['git-doc', 'git-doc/git-config.html'],
  ['postgresql-doc-15', 'postgresql-doc-15/html/sql-select.html'],
  ['debian-handbook', 'debian-handbook/html/en-US/network-services.html'],
  ['exim4-doc-html', 'exim4-doc-html/spec_html/ch-access_control_lists.html'],
  ['apache2-doc', 'apache2-doc/manual/en/mod/core.html'],
  ['r-doc-html', 'r-doc-html/manual/R-intro.html'],
  ['python3.11-doc', 'python3.11/html/library/stdtypes.html'],
  ['valgrind', 'valgrind/html/ms-manual.html'],
];

/** Fetches the manuals. They are too large for the repository, and not ours to copy. */
export async function fetchManuals(say: (text: string) => void): Promise<readonly ManualPage[]> {
  const folder = temporaryFolder();
  const packages = [...new Set(pages.map(([pkg]) => pkg))];
  await unpackPackages(packages, folder, say);
  return pages.map(([, path]) => ({ name: path, html: readFileSync(join(folder, 'usr/share/doc', path)) }));
}
