import type { StepMessage } from '../protocol/step.js';

/** A content that a worker may read. */
export interface Content {
  readonly bytes: Buffer;
  readonly media_type: string;
}

/** An artifact of an earlier step. */
export interface InputContent extends Content {
  readonly type: string;
  readonly content_type: StepMessage['inputs'][number]['content_type'];
}

/** The input of the steps. */
export interface Material {
  readonly source: Content;
  readonly inputs: readonly InputContent[];
  readonly config: Readonly<Record<string, unknown>>;
}

const fiveMiB = 5 * 1024 * 1024;

let large: Buffer | undefined;

/** Returns 5 MiB of text in short lines. All words differ, so that the output of any plugin tends to be large. */
export const largeText = (): Buffer => (large ??= createLargeText());

function createLargeText(): Buffer {
  const lines: string[] = [];
  for (let bytes = 0, number = 0; bytes < fiveMiB; number += 8) {
    const words = Array.from({ length: 8 }, (_, index) => `word${(number + index).toString(36)}`);
    const line = `${number % 80 === 0 ? '# ' : ''}${words.join(' ')}`;
    lines.push(line);
    bytes += line.length + 1;
  }
  return Buffer.from(lines.join('\n'));
}
