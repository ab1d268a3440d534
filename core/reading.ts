import { claimedFormat, type Format } from './document-format.js';
import { coreTaskQueue, readingQueues, type ReadingQueue, type StepSnapshot } from './run-protocol.js';
import type { WaitingFor } from './states.js';

/**
 * How much work it is to read or cut a document, as far as that is known beforehand. `short`: so little that the worker does it
 * itself; `light`: a second or two at most; `heavy`: all else. The last two are done in child processes.
 */
export type ReadingWork = keyof typeof readingQueues;

/** Bytes of a plain text or Markdown that the worker reads itself: what reads it takes time in proportion to its length. */
export const mostReadHere = 64 * 1024;
/** Bytes of a text that the worker cuts itself. */
export const mostCutHere = 16 * 1024;
/** Bytes of a text whose reading is light. */
export const lightWeight = 1024 * 1024;

/** The formats that take time in proportion to their size, and how many times as long as plain text at worst. */
const weights: Partial<Record<Format, number>> = { plain: 1, markdown: 1, csv: 4, html: 8, json: 8 };

export interface DocumentToRead {
  readonly name: string;
  readonly mediaType: string | null;
  readonly sizeBytes: number | null;
}

/** The bytes of plain text that take as long to read as a document may. Infinity: its size does not tell. */
export function weightOf({ sizeBytes, ...claimed }: DocumentToRead): number {
  const weight = weights[claimedFormat(claimed) ?? 'plain'];
  return sizeBytes === null || weight === undefined ? Infinity : sizeBytes * weight;
}

/** Whether the worker reads a document itself. */
export function isReadHere(document: DocumentToRead): boolean {
  const format = claimedFormat(document) ?? 'plain';
  return (format === 'plain' || format === 'markdown') && (document.sizeBytes ?? Infinity) <= mostReadHere;
}

/** What the tables know of what a step works on. */
export interface StepInput extends DocumentToRead {
  /** Bytes of the artifact `text`. */
  readonly textBytes: number | null;
}

const readers: Readonly<Record<string, (input: StepInput) => ReadingWork>> = {
  'extract-text': (input) =>
    isReadHere(input) ? 'short' : weightOf(input) <= lightWeight ? 'light' : 'heavy',
  'chunk-text': ({ textBytes }) => {
    const bytes = textBytes ?? Infinity;
    return bytes <= mostCutHere ? 'short' : bytes <= lightWeight ? 'light' : 'heavy';
  },
};

/** Whether a step reads or cuts documents, so that its task queue depends on what it works on. */
export function isReader({
  task_queue,
  activity_type,
}: Pick<StepSnapshot, 'task_queue' | 'activity_type'>): boolean {
  return task_queue === coreTaskQueue && activity_type !== null && Object.hasOwn(readers, activity_type);
}

/** The queue in which a step that reads or cuts documents waits. Null: it does something else. */
export function readingQueueOf(
  step: Pick<StepSnapshot, 'task_queue' | 'activity_type'>,
  input: StepInput,
): ReadingQueue | null {
  const work = isReader(step) ? readers[step.activity_type ?? '']?.(input) : undefined;
  return work === undefined ? null : readingQueues[work];
}

/** What such a step waits for until a worker takes it. */
export function waitingForRoom(queue: ReadingQueue): WaitingFor {
  const what = queue === readingQueues.heavy ? 'document' : 'text';
  return {
    kind: 'room',
    until: null,
    task_queue: queue,
    message: `Waiting for its turn: a worker takes the next ${what} when it has a free place to read it.`,
  };
}
