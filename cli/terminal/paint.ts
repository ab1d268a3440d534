const codes = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;

export type Style = keyof typeof codes;

/** Colours a text if the output supports it. */
export type Paint = (style: Style, text: string) => string;

/** Returns the colours for a stream: none if it is not a terminal, or NO_COLOR is set. */
export function paintFor(stream: NodeJS.WriteStream): Paint {
  const color = stream.isTTY && stream.hasColors();
  return (style, text) => (color && text !== '' ? `\x1b[${codes[style]}m${text}\x1b[0m` : text);
}

const styles: Readonly<Record<string, Style>> = {
  COMPLETED: 'green',
  FAILED: 'red',
  PROCESSING: 'cyan',
  RUNNING: 'cyan',
  RETRYING: 'yellow',
  PENDING: 'yellow',
  CANCELLED: 'dim',
};

/** The style of a status of a resource or a step. */
export const statusStyle = (status: string): Style => styles[status] ?? 'bold';
