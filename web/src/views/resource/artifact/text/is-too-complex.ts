/** A line that begins at least 50 quotes and list items. */
const containers = /^(?:[ \t]*(?:>|[-*+][ \t]|\d{1,9}[.)][ \t])){50}/;
/** A line that ends a paragraph, or begins a list item or a heading. */
const blockStart = /^[ \t]*$|^ {0,3}(?:[-*+]|1[.)]|#{1,6})[ \t]+\S/;
/** With more spaces in front, it may continue the item before it. */
const numberedItem = /^ {0,2}\d{1,9}[.)][ \t]+\S/;
/** The line below the header of a table, perhaps in a quote: of several columns, or of one. */
const delimiterRow =
  /^[ \t>]*(?:(?:\|[ \t]*)?(?::?-+:?[ \t]*\|[ \t]*)+(?::?-+:?[ \t]*)?|(?:\|[ \t]*:?-+:?|:-+:?|-+:)[ \t]*)$/;
/** Marks of emphasis and links. The time that the parser takes grows with their square. */
const mostMarks = 2_000;
/** Cells of all tables. The parser fills each row up to the number of columns. */
const mostCells = 20_000;

const count = (line: string, mark: RegExp): number => line.match(mark)?.length ?? 0;
const pipes = (line: string): number => count(line, /\|/g);
const endsWithPipe = (line: string): boolean => /\|[ \t]*$/.test(line);

/**
 * Whether Markdown would block the page or exhaust its memory, which a short text can do: because it is nested deeply, or
 * has too many marks in a paragraph or cells in a table. Some harmless texts count as such too.
 */
export function isTooComplex(text: string): boolean {
  let [marks, columns, cells] = [0, 0, 0];
  let [isNumbered, isTable] = [false, false];
  let [before, beforeThat] = ['', ''];
  return text.split(/\r\n|\r|\n/).some((line) => {
    // Only "1." interrupts a paragraph; other numbers continue its list.
    isNumbered = numberedItem.test(line) && (isNumbered || /^ {0,3}1[.)]/.test(line));
    const isDelimiter = delimiterRow.test(line);
    if (isDelimiter) columns = Math.max(columns, pipes(line) + 1);
    else if (/^[ \t>]*$/.test(line)) columns = 0;
    isTable = line.startsWith('|') && (isTable || (isDelimiter && isHeader(before, line, beforeThat)));
    if (isTable || isNumbered || blockStart.test(line)) marks = 0;
    marks += count(line, /[[\]*_~]/g);
    cells += columns;
    [before, beforeThat] = [line, before];
    return marks > mostMarks || cells > mostCells || containers.test(line);
  });
}

/** Whether a line is certainly the header of a table. Otherwise its rows may be the lines of one paragraph. */
function isHeader(line: string, delimiters: string, before: string): boolean {
  const isSimple = line.startsWith('|') && !/[\\`]/.test(line) && before.trim() === '';
  return isSimple && pipes(line) === pipes(delimiters) && endsWithPipe(line) === endsWithPipe(delimiters);
}
