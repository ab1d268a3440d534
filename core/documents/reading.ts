import { claimedFormat, type Format } from './document-format.js';
import {
  callingQueues,
  coreTaskQueue,
  readingQueues,
  type ReadingQueue,
  type SlotQueue,
  type StepSnapshot,
} from '../runs/run-protocol.js';
import type { WaitingFor } from '../states.js';

/**
 * How much work it is to read or chunk a document, as far as known in advance. `short`: the worker does it
 * itself. `light`: one or two seconds at most. `heavy`: everything else. `light` and `heavy` run in child
 * processes.
 */
export type ReadingWork = keyof typeof readingQueues;

/** Bytes of plain text or Markdown that the worker reads itself. The time grows linearly with the length. */
const mostReadHere = 64 * 1024;
/** Bytes of a text that the worker chunks itself. */
export const mostChunkedHere = 16 * 1024;
/** Bytes of a text up to which reading is `light`. */
export const lightWeight = 1024 * 1024;

/** The formats whose reading time grows linearly with size, as a worst-case multiple of plain text. */
const weights: Partial<Record<Format, number>> = { plain: 1, markdown: 1, csv: 4, html: 8, json: 8 };

export interface DocumentToRead {
  readonly name: string;
  readonly mediaType: string | null;
  readonly sizeBytes: number | null;
}

/**
 * The bytes of plain text that take as long to read as this document at worst. Infinity: the size does not
 * tell.
 */
export function weightOf({ sizeBytes, ...claimed }: DocumentToRead): number {
  const weight = weights[claimedFormat(claimed) ?? 'plain'];
  return sizeBytes === null || weight === undefined ? Infinity : sizeBytes * weight;
}

/** Whether the worker reads a document itself. */
export function isReadHere(document: DocumentToRead): boolean {
  const format = claimedFormat(document) ?? 'plain';
  return (format === 'plain' || format === 'markdown') && (document.sizeBytes ?? Infinity) <= mostReadHere;
}

/** What the tables know about a step's input. */
export interface StepInput extends DocumentToRead {
  /** Bytes of the artifact `text`. */
  readonly textBytes: number | null;
}

const readers: Readonly<Record<string, (input: StepInput) => ReadingWork>> = {
  'extract-text': (input) =>
    isReadHere(input) ? 'short' : weightOf(input) <= lightWeight ? 'light' : 'heavy',
  'chunk-text': ({ textBytes }) => {
    const bytes = textBytes ?? Infinity;
    return bytes <= mostChunkedHere ? 'short' : bytes <= lightWeight ? 'light' : 'heavy';
  },
};

/** Whether a step reads or chunks documents, so that its task queue depends on its input. */
export function isReader({
  task_queue,
  activity_type,
}: Pick<StepSnapshot, 'task_queue' | 'activity_type'>): boolean {
  return task_queue === coreTaskQueue && activity_type !== null && Object.hasOwn(readers, activity_type);
}

/** The task queue of a step that reads or chunks documents; null for other steps. */
export function readingQueueOf(
  step: Pick<StepSnapshot, 'task_queue' | 'activity_type'>,
  input: StepInput,
): ReadingQueue | null {
  const work = isReader(step) ? readers[step.activity_type ?? '']?.(input) : undefined;
  return work === undefined ? null : readingQueues[work];
}

const taken: Readonly<Record<SlotQueue, string>> = {
  [readingQueues.short]: 'text',
  [readingQueues.light]: 'text',
  [readingQueues.heavy]: 'document',
  [callingQueues.plugins]: 'step of an HTTP plugin',
  [callingQueues.messages]: 'message to an HTTP plugin',
  [callingQueues.sources]: 'source',
  [callingQueues.services]: 'step',
};

/** The wait of a step that a worker takes as soon as it has a free slot. */
export function waitingForRoom(queue: SlotQueue): WaitingFor {
  return {
    kind: 'room',
    until: null,
    task_queue: queue,
    message: `Waiting for a free slot. A worker that has one takes the next ${taken[queue]}.`,
  };
}
