import { serveTask } from '../sdk/child-task.js';
import type { SourceDocument } from './document.js';
import { extract } from './extract.js';
import type { DocumentMetadata } from './extract.js';
import { extractors } from './extractors.js';

/** What the child is asked for. */
export interface ExtractionRequest {
  readonly name: string;
  readonly mediaType: string | null;
  readonly mainContent: SourceDocument['mainContent'];
  readonly onlyText: boolean;
  readonly maxOutputBytes: number;
  readonly maxUnpackedBytes: number;
}

/** What it sends: how far it is, then the text in pieces, then the metadata. */
export type ExtractionMessage =
  | { readonly progress: number; readonly message: string }
  | { readonly text: string }
  | { readonly metadata: DocumentMetadata };

const pieceLength = 65_536;
/** Between two messages of progress: sending one waits for the parent, and people see one in a second at most. */
const leastPauseMs = 200;

/** The parser of the format that is expected; then, while there is time, what tells languages, which few files need not. */
async function prepare(format: string, isIdle: () => boolean): Promise<void> {
  const parsers: Partial<Record<string, () => Promise<unknown>>> = extractors;
  await parsers[format]?.();
  if (isIdle()) await import('tinyld');
}

await serveTask(async (request, source, sendBody) => {
  const send = (message: ExtractionMessage): void => sendBody(message);
  const { maxOutputBytes, ...rest } = request as ExtractionRequest;
  let shownAt = 0;
  const progress = (fraction: number, message: string): void => {
    const now = performance.now();
    if (fraction < 1 && now - shownAt < leastPauseMs) return;
    shownAt = now;
    send({ progress: fraction, message });
  };
  const { text, metadata } = await extract({ ...rest, source, progress }, maxOutputBytes);
  for (let start = 0; start < text.length; start += pieceLength)
    send({ text: text.slice(start, start + pieceLength) });
  send({ metadata });
}, prepare);
