/** Characters of a line that are laid out together: a text of one line only is laid out in pieces too. */
const longestPiece = 1_000;

/** A text as the lines and pieces of lines that it is shown in. */
export function toPieces(text: string): readonly string[] {
  const pieces: string[] = [];
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (line.length <= longestPiece) pieces.push(line);
    else
      for (let at = 0; at < line.length; at += longestPiece) pieces.push(line.slice(at, at + longestPiece));
  }
  return pieces;
}

/** Whether a text has marks that stand for something in Markdown: headings, lists, links, tables, fences. */
export function looksLikeMarkdown(text: string): boolean {
  return /^#{1,6} \S|^\s{0,3}[-*] \S|^\|.+\|\s*$|^```|\[[^\]\n]+\]\([^)\n]+\)/m.test(text.slice(0, 20_000));
}
