import { Argument, InvalidArgumentError } from 'commander';

/** An argument for ids. In the path of a URL, an empty text, "." and ".." would lead elsewhere. */
export function idArgument(name: string): Argument {
  const argument = new Argument(name);
  return argument.argParser<string | string[]>((text, before: string | string[] | undefined) => {
    if (/^\.{0,2}$/.test(text)) throw new InvalidArgumentError('It must be an id.');
    return argument.variadic ? [before ?? [], text].flat() : text;
  });
}
