/** The words of a shell's command line up to the cursor, and how the shell completes the last one. */
export interface ShellLine {
  /** Without their quotes. The last one is being typed. */
  readonly words: readonly string[];
  /** The length of the beginning of the last word that the shell keeps. It replaces what follows. */
  readonly kept: number;
  /** The quotation mark that is still open; empty if there is none. */
  readonly quote: string;
}

/**
 * Splits a line like a shell.
 *
 * @param breaks The characters after which bash starts another completion ($COMP_WORDBREAKS); empty for other shells.
 */
export function readShellLine(line: string, breaks: string): ShellLine {
  const words: string[] = [];
  let word: string | null = null;
  let quote = '';
  let afterBreak = 0;
  let afterQuote = 0;
  for (let at = 0; at < line.length; at += 1) {
    const char = line.charAt(at);
    const isEscape =
      char === '\\' && (quote === '' || (quote === '"' && /^["\\$`]/.test(line.charAt(at + 1))));
    if (isEscape) {
      at += 1;
      word = (word ?? '') + line.charAt(at);
    } else if (quote !== '') {
      if (char === quote) quote = '';
      else word = (word ?? '') + char;
    } else if (/[ \t\n]/.test(char)) {
      if (word !== null) words.push(word);
      word = null;
      afterBreak = 0;
    } else if (char === '"' || char === "'") {
      word ??= '';
      quote = char;
      afterQuote = word.length;
    } else {
      word = (word ?? '') + char;
      // Bash replaces an @ too: names of hosts follow it.
      if (breaks.includes(char)) afterBreak = word.length - (char === '@' ? 1 : 0);
    }
  }
  return { words: [...words, word ?? ''], kept: quote === '' ? afterBreak : afterQuote, quote };
}

/** Writes a text so that bash reads it as part of a word, within the open quotation mark if there is one. */
export function quoteForBash(text: string, quote: string): string {
  if (quote === "'") return text.replaceAll("'", String.raw`'\''`);
  // Within ", an exclamation mark would call up the history, and no backslash prevents it.
  if (quote === '"') return text.replace(/["\\$`]/g, String.raw`\$&`).replace(/!+/g, `"'$&'"`);
  return text.replace(/[^\w@%+=:,./\u0080-\uffff-]/g, String.raw`\$&`);
}
