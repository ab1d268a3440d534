import { createRequire } from 'node:module';
import type * as Arrow from 'apache-arrow';
import type { VectorRow } from './store.js';

// LanceDB accepts only tables made by the Arrow instance that it loads itself, the CommonJS one; `import` loads
// another.
const arrow = createRequire(import.meta.url)('apache-arrow') as typeof Arrow;
const { Field, FixedSizeList, Float32, Int32, Schema, Utf8 } = arrow;

const vectorType = (dimensions: number): Arrow.FixedSizeList<Arrow.Float32> =>
  new FixedSizeList(dimensions, new Field('item', new Float32(), true));

const texts = ['id', 'text', 'resource_id', 'resource_name', 'resource_type'] as const;
const numbers = ['chunk_index', 'start', 'end', 'run'] as const;

export function schemaOf(dimensions: number): Arrow.Schema {
  return new Schema([
    ...texts.map((name) => new Field(name, new Utf8(), false)),
    new Field('vector', vectorType(dimensions), false),
    ...numbers.map((name) => new Field(name, new Int32(), name === 'start' || name === 'end')),
  ]);
}

/** Returns the length of a table's vectors, or null if it has no vectors of fixed length. */
export function dimensionsOf(schema: Arrow.Schema): number | null {
  const vector = schema.fields.find(({ name }) => name === 'vector');
  const type = vector?.type as Arrow.DataType | undefined;
  return type !== undefined && 'listSize' in type ? Number(type.listSize) : null;
}

/** Converts rows to columns. All vectors share one block of numbers: separate lists would take seconds. */
export function toArrow(rows: readonly VectorRow[], dimensions: number): Arrow.Table {
  const { makeData, RecordBatch, Struct, Table, vectorFromArray } = arrow;
  const schema = schemaOf(dimensions);
  const block = new Float32Array(rows.length * dimensions);
  for (const [index, { vector }] of rows.entries()) block.set(vector, index * dimensions);
  const child = makeData({ type: new Float32(), length: block.length, nullCount: 0, data: block });
  const vectors = makeData({ type: vectorType(dimensions), length: rows.length, nullCount: 0, child });
  const columnOf = ({ name, type }: Arrow.Field): Arrow.Data | undefined =>
    name === 'vector'
      ? vectors
      : vectorFromArray(
          rows.map((row) => row[name as keyof VectorRow]),
          type,
        ).data[0];
  const children = schema.fields.map(columnOf).filter((column) => column !== undefined);
  const data = makeData({ type: new Struct(schema.fields), length: rows.length, nullCount: 0, children });
  return new Table(schema, [new RecordBatch(schema, data)]);
}
