import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const read = (path: string): string => readFileSync(path, 'utf8');
const tracked = new Set(
  execFileSync('git', ['ls-files'], { encoding: 'utf8', maxBuffer: 1e7 }).trim().split('\n'),
);

/** Whether a file is in the build context: the last matching pattern decides, and also matches what is below it. */
function inContext(path: string): boolean {
  const patterns = read('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const glob = line.replace(/^!/, '').replace(/[.+^${}()|[\]\\]/g, '\\$&');
      const pattern = glob.replaceAll('**/', '(.+/)?').replaceAll('*', '[^/]*');
      return { takes: line.startsWith('!'), pattern: new RegExp(`^${pattern}(/|$)`) };
    });
  return patterns.findLast(({ pattern }) => pattern.test(path))?.takes ?? true;
}

/** The tracked files that a file names: relative to it, or, for a script, to the root. */
function namedIn(path: string): string[] {
  const names = [...read(path).matchAll(/'([\w@./-]+)'|"([\w@./-]+)"/g)].map(([, a, b]) => (a ?? b)!);
  const bases = path.startsWith('scripts/') ? [dirname(path), '.'] : [dirname(path)];
  const relative = names.filter((name) => bases.length > 1 || /^\.\.?\//.test(name));
  return relative
    .flatMap((name) => bases.map((base) => normalize(join(base, name))))
    .flatMap((name) => [name, name.replace(/\.js$/, '.ts'), name.replace(/\.js$/, '.tsx')])
    .filter((name) => tracked.has(name));
}

describe('the image', () => {
  it('is built from a context with every file that the build reads', () => {
    const given = [...tracked].filter(inContext);
    // The patterns are understood: they leave something out.
    assert.ok(!given.some((path) => /^(test|docs|plugins\/examples)\//.test(path)));
    const copied = [...read('Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths]) =>
      paths!.split(' ').filter((path) => path !== '.'),
    );
    // What a file that is read names is read too.
    const code = given.filter((path) => /\.(m?[jt]s|tsx|json|html|css)$/.test(path));
    const needed = new Set(['scripts/build.mjs', ...copied, ...code.flatMap(namedIn)]);
    assert.deepEqual(
      [...needed].filter((path) => !given.includes(path)),
      [],
    );
  });
});
