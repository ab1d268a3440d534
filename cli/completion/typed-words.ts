import type { Argument, Command, Option } from 'commander';

/** The parsed state of a partially typed command line. */
export interface Typed {
  /** The command named by the preceding words. */
  readonly command: Command;
  /** The word that is being typed. */
  readonly current: string;
  /** The option whose value is being typed; null if none. */
  readonly option: Option | null;
  /** The preceding words that are neither options nor commands. */
  readonly operands: readonly string[];
  /** The options given. */
  readonly given: ReadonlySet<Option>;
  /** The argument that this word would be. */
  readonly argument: Argument | null;
}

/** Follows the words down the command tree. The last word is being typed. */
export function readWords(program: Command, words: readonly string[]): Typed {
  const before = joined(words);
  const current = before.pop() ?? '';
  let command = program;
  let option: Option | null = null;
  const operands: string[] = [];
  const given = new Set<Option>();
  for (const word of before) {
    if (option !== null) {
      option = null;
    } else if (word.startsWith('-') && word !== '-') {
      const [flag = '', value] = word.split('=', 2);
      const found = command.options.find(({ long, short }) => flag === long || flag === short);
      if (found !== undefined) given.add(found);
      option = found !== undefined && value === undefined && takesValue(found) ? found : null;
    } else {
      const next = operands.length === 0 ? command.commands.find((one) => one.name() === word) : undefined;
      if (next === undefined) operands.push(word);
      else command = next;
    }
  }
  const { registeredArguments: declared } = command;
  const last = declared.at(-1);
  const argument = declared[operands.length] ?? (last?.variadic === true ? last : null);
  return { command, current, option, operands, given, argument };
}

const takesValue = (option: Option): boolean => option.required || option.optional;

/** bash splits `--type=text` at the `=`. Both forms are treated the same. */
function joined(words: readonly string[]): string[] {
  const result: string[] = [];
  for (const [index, word] of words.entries()) {
    if (word === '=' && index < words.length - 1) continue;
    if (word === '=') result.push('');
    else {
      const split = index === words.length - 1 ? /^(--[^=]+)=(.*)$/s.exec(word) : null;
      if (split === null) result.push(word);
      else result.push(split[1] ?? '', split[2] ?? '');
    }
  }
  return result;
}
