import stringWidth from 'string-width';

const segments = new Intl.Segmenter();

/** Cuts a text to a number of terminal columns, with an ellipsis if something is cut. */
export function fit(text: string, columns: number): string {
  if (stringWidth(text) <= columns) return text;
  let cut = '';
  let width = 0;
  for (const { segment } of segments.segment(text)) {
    width += stringWidth(segment);
    if (width > columns - 1) break;
    cut += segment;
  }
  return columns > 0 ? `${cut}…` : '';
}

/** Pads a text with spaces to a number of terminal columns. */
export function pad(text: string, columns: number, align: 'left' | 'right' = 'left'): string {
  const spaces = ' '.repeat(Math.max(0, columns - stringWidth(text)));
  return align === 'left' ? text + spaces : spaces + text;
}

export { stringWidth };
