import type { Argument, Command, Option } from 'commander';

/** The parsed state of a partially typed command line. */
export interface Typed {
  /** The command named by the preceding words. */
  readonly command: Command;
  /** The word, or the value of an option, that is being typed. */
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
  const before = words.slice(0, -1);
  const last = words.at(-1) ?? '';
  // `--type=text` means the same as `--type text`.
  const [, flag, value] = /^(--[^=]+)=(.*)$/s.exec(last) ?? [];
  if (flag !== undefined) before.push(flag);
  const current = value ?? last;
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
  const rest = declared.at(-1);
  const argument = declared[operands.length] ?? (rest?.variadic === true ? rest : null);
  return { command, current, option, operands, given, argument };
}

const takesValue = (option: Option): boolean => option.required || option.optional;
