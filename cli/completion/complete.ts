import type { Command } from 'commander';

import { plain } from '../terminal/text.js';
import { findNames, storedUrls, type Candidate } from './names.js';
import { quoteForBash, readShellLine } from './shell-line.js';
import { readWords, type Typed } from './typed-words.js';

/** Tells the shell to complete file names itself. */
const files = ':files';
type Found = readonly Candidate[] | typeof files;
const fileOptions = new Set([
  'key-file',
  'output',
  'config',
  'source',
  'failing-source',
  'failing-config',
  'dir',
]);
const fileArguments = new Set(['file', 'file-or-url']);

/**
 * Completions of the last word of a command line, one per line, as the scripts read them.
 *
 * @param bashBreaks For bash, whose scripts insert the candidates unchanged: its $COMP_WORDBREAKS.
 */
export async function complete(
  program: Command,
  line: string,
  bashBreaks?: string,
): Promise<readonly string[]> {
  const { words, kept, quote } = readShellLine(line, bashBreaks ?? '');
  const typed = readWords(program, words.slice(1));
  const flag = (words.at(-1) ?? '').slice(0, -typed.current.length || undefined);
  const inserted = (value: string): string =>
    bashBreaks === undefined ? flag + value : quoteForBash((flag + value).slice(kept), quote);
  const candidates = await find(typed);
  if (candidates === files) return [files];
  const fitting = candidates.filter(({ value }) => value.startsWith(typed.current));
  const shown = new Map(fitting.map(({ value, description }) => [inserted(plain(value)), description]));
  return [...shown].map(([value, description = '']) =>
    description === '' ? value : `${value}\t${plain(description)}`,
  );
}

async function find(typed: Typed): Promise<Found> {
  const { command, current, option, argument, operands } = typed;
  if (option !== null) return await valuesOf(option.long?.slice(2) ?? '', option.argChoices, typed);
  if (current.startsWith('-')) return optionsOf(typed);
  const help = command.createHelp();
  const subcommands = help.visibleCommands(command).filter((one) => one.name() !== 'help');
  if (subcommands.length > 0 && operands.length === 0)
    return subcommands.map((one) => ({ value: one.name(), description: one.description() }));
  if (argument === null) return [];
  return await valuesOf(argument.name(), argument.argChoices, typed);
}

async function valuesOf(name: string, choices: readonly string[] | undefined, typed: Typed): Promise<Found> {
  if (choices !== undefined) return choices.map((value) => ({ value }));
  if (fileOptions.has(name) || fileArguments.has(name)) return files;
  if (name === 'url') return storedUrls();
  return await findNames(name, typed);
}

function optionsOf({ command, given }: Typed): readonly Candidate[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .filter((option) => option.variadic || ![...given].some(({ long }) => long === option.long))
    .map(({ long, short, description }) => ({ value: long ?? short ?? '', description }));
}
