import { once } from 'node:events';

/** What a command prints as its result, to be read by people or by programs. */
export interface Output {
  /** Columns of the terminal; null: it goes to a file or a program. */
  readonly width: number | null;
  line(text: string): void;
  /** A value as JSON, over several lines for people. */
  json(value: unknown): void;
  /** Writes bytes, no faster than they are read. */
  write(chunk: Uint8Array | string): Promise<void>;
}

/**
 * Results go to standard output. Who reads them may stop doing so (`kw ls | head`): then nobody wants the rest, and
 * the command ends at once, with the exit code it has so far and without a word.
 */
export function createOutput(stream: NodeJS.WriteStream): Output {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
  const write = async (chunk: Uint8Array | string): Promise<void> => {
    if (!stream.write(chunk)) await once(stream, 'drain');
  };
  return {
    width: stream.isTTY ? stream.columns || 80 : null,
    line: (text) => void stream.write(`${text}\n`),
    json: (value) => void stream.write(`${JSON.stringify(value, null, stream.isTTY ? 2 : undefined)}\n`),
    write,
  };
}

/** Prints an array element by element, each on a line of its own: valid JSON as a whole however long it is. */
export function createJsonArray(output: Output): {
  add(values: readonly unknown[]): Promise<void>;
  end(): Promise<void>;
} {
  let count = 0;
  return {
    async add(values) {
      const text = values.map((value) => `${count++ === 0 ? '[' : ','}\n${JSON.stringify(value)}`).join('');
      if (text !== '') await output.write(text);
    },
    end: () => output.write(count === 0 ? '[]\n' : '\n]\n'),
  };
}
