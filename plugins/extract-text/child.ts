import type { Task } from '../host/child-task.js';
import type { SourceDocument } from './document.js';
import { extract } from './extract.js';
import type { DocumentMetadata } from './extract.js';

export interface ExtractionRequest {
  readonly name: string;
  readonly mediaType: string | null;
  readonly mainContent: SourceDocument['mainContent'];
  readonly onlyText: boolean;
  readonly maxOutputBytes: number;
  readonly maxUnpackedBytes: number;
}

/** The child's result: the text in pieces, then the metadata. */
export type ExtractionResult = { readonly text: string } | { readonly metadata: DocumentMetadata };

const pieceLength = 65_536;
/** Minimum pause between progress messages: sending one waits for the parent, and people see at most one per second. */
const leastPauseMs = 200;

export const task: Task = {
  // The language detector, which almost every file needs.
  prepare: () => import('#bundled/tinyld'),

  async run(request, source, output) {
    const { maxOutputBytes, ...rest } = request as ExtractionRequest;
    const send = (result: ExtractionResult): void => output.send(result);
    let shownAt = 0;
    const progress = (fraction: number, message: string): void => {
      const now = performance.now();
      if (fraction < 1 && now - shownAt < leastPauseMs) return;
      shownAt = now;
      output.progress(fraction, message);
    };
    const { text, metadata } = await extract({ ...rest, source, progress }, maxOutputBytes);
    for (let start = 0; start < text.length; start += pieceLength)
      send({ text: text.slice(start, start + pieceLength) });
    send({ metadata });
  },
};
