import { createRequire } from 'node:module';
import type * as Arrow from 'apache-arrow';
import { startTurns } from '../../../core/in-turns.js';
import type { IndexedChunk, NewChunk } from '../engine.js';
import { toIndexText } from '../words/index-text.js';

// LanceDB only accepts tables made by the Arrow instance that it loads itself, the CommonJS one; `import` loads
// another one. Only writers need it, and a process starts 0.1 s faster without it.
const require = createRequire(import.meta.url);
const loadArrow = (): typeof Arrow => require('apache-arrow') as typeof Arrow;

/** The version of the tables and of the words in them; others are not read. Increase it after a change in `words/`. */
export const tableFormat = 9;

/** The schema of the chunk table. `words` is the column of the full text index. */
export function chunksSchema(): Arrow.Schema {
  const { Field, Int32, Schema, Utf8 } = loadArrow();
  const [text, number] = [new Utf8(), new Int32()];
  return new Schema([
    new Field('resource_id', text, false),
    new Field('run', number, false),
    new Field('chunk', number, false),
    new Field('write', number, false),
    ...['start', 'end', 'page_start', 'page_end'].map((name) => new Field(name, number, true)),
    new Field('headings', text, false),
    new Field('text', text, false),
    new Field('words', text, false),
  ]);
}

export function vectorsSchema(dimensions: number): Arrow.Schema {
  const { Field, FixedSizeList, Float32, Int32, Schema, Utf8 } = loadArrow();
  const [text, number] = [new Utf8(), new Int32()];
  return new Schema([
    new Field('resource_id', text, false),
    new Field('run', number, false),
    new Field('chunk', number, false),
    new Field('write', number, false),
    new Field('model', text, false),
    new Field('vector', new FixedSizeList(dimensions, new Field('item', new Float32(), true)), false),
  ]);
}

/** Numbers that do not fit into 32 bits are dropped. */
const fitting = (value: number | null): number | null =>
  value === null || value > 0x7f_ff_ff_ff ? null : value;

export async function toChunksTable(chunks: readonly NewChunk[], write: number): Promise<Arrow.Table> {
  const columns: Readonly<Record<string, readonly unknown[]>> = {
    resource_id: chunks.map((chunk) => chunk.resource_id),
    run: chunks.map((chunk) => chunk.run),
    chunk: chunks.map((chunk) => chunk.index),
    write: chunks.map(() => write),
    start: chunks.map((chunk) => fitting(chunk.start)),
    end: chunks.map((chunk) => fitting(chunk.end)),
    page_start: chunks.map((chunk) => fitting(chunk.page_start)),
    page_end: chunks.map((chunk) => fitting(chunk.page_end)),
    headings: chunks.map((chunk) => JSON.stringify(chunk.headings)),
    text: chunks.map((chunk) => chunk.text),
    words: await toWords(chunks),
  };
  return toTable(chunksSchema(), chunks.length, (name, type) => column(columns[name] ?? [], type));
}

/** Splitting into words takes seconds for many chunks, and other work shares the event loop. */
async function toWords(chunks: readonly NewChunk[]): Promise<readonly string[]> {
  const turns = startTurns();
  const words: string[] = [];
  for (const { headings, text, index } of chunks) {
    words.push(await toIndexText([...headings, text].join('\n'), index === 0, turns));
    if (turns.isOver()) await turns.next();
  }
  return words;
}

/** Converts chunks whose vectors all have this length. */
export function toVectorsTable(chunks: readonly NewChunk[], write: number, dimensions: number): Arrow.Table {
  const { Float32, makeData } = loadArrow();
  const block = new Float32Array(chunks.length * dimensions);
  for (const [row, { vector }] of chunks.entries())
    if (vector !== null) block.set(vector.values, row * dimensions);
  const columns: Readonly<Record<string, readonly unknown[]>> = {
    resource_id: chunks.map((chunk) => chunk.resource_id),
    run: chunks.map((chunk) => chunk.run),
    chunk: chunks.map((chunk) => chunk.index),
    write: chunks.map(() => write),
    model: chunks.map((chunk) => chunk.vector?.model ?? ''),
  };
  return toTable(vectorsSchema(dimensions), chunks.length, (name, type) => {
    if (name !== 'vector') return column(columns[name] ?? [], type);
    const child = makeData({ type: new Float32(), length: block.length, nullCount: 0, data: block });
    return makeData({ type: type as Arrow.FixedSizeList, length: chunks.length, nullCount: 0, child });
  });
}

function column(values: readonly unknown[], type: Arrow.DataType): Arrow.Data | undefined {
  return loadArrow().vectorFromArray(values, type).data[0];
}

function toTable(
  schema: Arrow.Schema,
  length: number,
  dataOf: (name: string, type: Arrow.DataType) => Arrow.Data | undefined,
): Arrow.Table {
  const { makeData, RecordBatch, Struct, Table } = loadArrow();
  const children = schema.fields
    .map(({ name, type }) => dataOf(name, type as Arrow.DataType))
    .filter((data) => data !== undefined);
  const data = makeData({ type: new Struct(schema.fields), length, nullCount: 0, children });
  return new Table(schema, [new RecordBatch(schema, data)]);
}

export const chunkColumns = [
  'resource_id',
  'run',
  'chunk',
  'start',
  'end',
  'page_start',
  'page_end',
  'headings',
  'text',
] as const;

type Row = Readonly<Record<(typeof chunkColumns)[number], unknown>>;

export function fromRow(row: Row): IndexedChunk {
  const place = (value: unknown): number | null => (typeof value === 'number' ? value : null);
  return {
    resource_id: String(row.resource_id),
    run: Number(row.run),
    index: Number(row.chunk),
    start: place(row.start),
    end: place(row.end),
    page_start: place(row.page_start),
    page_end: place(row.page_end),
    headings: JSON.parse(String(row.headings)) as string[],
    text: String(row.text),
  };
}
