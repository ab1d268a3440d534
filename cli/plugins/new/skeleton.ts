import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandError } from '../../exit.js';
import type { Skeleton } from './commands.js';
import { packPlugin } from './pack-plugin.js';
import { packageFiles } from './package-files.js';
import { packageRoot } from './package-root.js';
import { readmeOf } from './readme.js';

const ignored = ['node_modules/', '__pycache__/', '.venv/', '.kw/', '.kw-secrets/', '.env', ''].join('\n');

/** Creates a plugin from an example, with a new id and name. Throws CommandError if the folder is not empty. */
export function writeSkeleton(folder: string, skeleton: Skeleton): void {
  if (existsSync(folder) && !isEmptyFolder(folder))
    throw new CommandError(`${folder} already exists and is not an empty folder. Choose another with --dir.`);
  const { id, language, kind } = skeleton;
  mkdirSync(folder, { recursive: true });
  const example = join(packageRoot(), 'plugins', 'examples', `${language}-${kind}`);
  const files = new Map([
    ...readExample(example).map(([name, text]) => [name, rename(text, id)] as const),
    ...(language === 'typescript' ? packageFiles(skeleton, packPlugin(folder)) : []),
    ['README.md', readmeOf(skeleton)] as const,
    ['.gitignore', ignored] as const,
  ]);
  for (const [name, text] of files) writeFileSync(join(folder, name), text, { flag: 'wx' });
}

const isEmptyFolder = (path: string): boolean =>
  statSync(path).isDirectory() && readdirSync(path).length === 0;

/** The example's files that are copied into the plugin. */
function readExample(folder: string): (readonly [string, string])[] {
  return readdirSync(folder)
    .filter((name) => /^([\w.]+\.(ts|py)|requirements\.txt)$/.test(name))
    .map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const);
}

/** Replaces the plugin's id and name in a file that defines them. Leaves other files unchanged. */
function rename(text: string, id: string): string {
  const definition = /(\bid["']?: (["']))[a-z0-9-]+(\2,\s+["']?name["']?: \2)[^"']+\2/;
  return text.replace(definition, (_, before: string, quote: string, between: string) =>
    [before, id, between, nameOf(id), quote].join(''),
  );
}

/** Converts an id to a display name: `word-count` becomes "Word count". */
function nameOf(id: string): string {
  const words = id.replaceAll('-', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
