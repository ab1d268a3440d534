import fc from 'fast-check';

type Scalar = string | number | boolean | null;
type Value = Scalar | readonly string[];
type Range = { readonly gte?: string | number; readonly lte?: string | number };

/**
 * The properties of a resource that filters use. `waited`: the seconds that its current step has waited; null: no
 * active run.
 */
export interface Drawn {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly status: string;
  readonly source_type: string;
  readonly is_enabled: boolean;
  readonly connector_id: string | null;
  readonly sha256: string | null;
  readonly size_bytes: number | null;
  readonly metadata: Readonly<Record<string, Value>>;
  readonly error_code: string | null;
  readonly failed_plugin: string | null;
  readonly waited: number | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A filter, in the form of a body. */
export interface Query {
  readonly q?: string;
  readonly type?: readonly string[];
  readonly status?: readonly string[];
  readonly source_type?: readonly string[];
  readonly is_enabled?: readonly boolean[];
  readonly connector_id?: readonly string[];
  readonly sha256?: readonly string[];
  readonly error_code?: readonly string[];
  readonly failed_plugin?: readonly string[];
  readonly waiting?: boolean;
  readonly metadata?: Readonly<Record<string, Scalar | readonly Scalar[] | Range>>;
  readonly created_after?: string;
  readonly created_before?: string;
  readonly updated_after?: string;
  readonly updated_before?: string;
}

const uuids = ['019aa09d-3c55-7e90-8d41-2b7f6a1c0e58', '019aa09d-3c55-7e90-8d41-2b7f6a1c0e59'];
const hashes = ['a'.repeat(64), '0123456789abcdef'.repeat(4)];
const types = ['document', 'page', 'a,b', '%'];
const codes = ['STEP_TIMED_OUT', 'STEP_FAILED', 'bad "code"', 'A\nB\u007f'];
const plugins = ['extract-text', 'ocr'];
const statuses = ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'CANCELLED'];
const keys = ['team', 'year', 'a.b', '__proto__', '-'];
/** As long as the indexed part of a string. */
const long = 'x'.repeat(200);
const strings = [
  'archive',
  'Archive',
  '2024',
  '5',
  '',
  'true',
  'null',
  'é',
  '𝄞',
  'ﬀ',
  "o'clock",
  'a\nb',
  '1e3',
  long,
  `${long}y`,
];
const numbers = [0, 5, 2024, 2024.5, -1e-7, 1e21, 1000, 0.1];

const time = fc.integer({ min: 0, max: 400 }).map((step) => new Date(1.76e12 + step * 7).toISOString());
const scalar = fc.constantFrom<Scalar>(...strings, ...numbers, true, false, null);
const value = fc.oneof(
  { weight: 4, arbitrary: scalar },
  { weight: 1, arbitrary: fc.array(fc.constantFrom(...strings), { maxLength: 3 }) },
);

/** 150 to 200 resources with few different values, so that filters match some and not others. */
export const drawnResources: fc.Arbitrary<Drawn[]> = fc.array(
  fc
    .record({
      id: fc.uuid({ version: 7 }),
      name: fc.stringMatching(/^[a-c0-2]{1,4}$/),
      type: fc.constantFrom(...types),
      status: fc.constantFrom(...statuses),
      source_type: fc.constantFrom('UPLOAD', 'URL'),
      is_enabled: fc.boolean(),
      connector_id: fc.constantFrom(null, ...uuids),
      sha256: fc.constantFrom(null, ...hashes),
      size_bytes: fc.option(fc.integer({ min: 0, max: 30 })),
      metadata: fc.dictionary(fc.constantFrom(...keys), value, { maxKeys: 4, noNullPrototype: true }),
      code: fc.constantFrom(...codes),
      plugin: fc.constantFrom(null, ...plugins),
      // An hour from the bound on both sides, because waits grow while the test runs. A negative wait begins in the
      // future.
      waits: fc.constantFrom(-3600, 3600),
      created_at: time,
      updated_at: time,
    })
    .map(({ code, plugin, waits, ...resource }) => ({
      ...resource,
      error_code: resource.status === 'FAILED' ? code : null,
      failed_plugin: resource.status === 'FAILED' ? plugin : null,
      waited: resource.status === 'PROCESSING' ? waits : null,
    })),
  { minLength: 150, maxLength: 200, size: 'max' },
);

const some = <T>(...values: readonly T[]): fc.Arbitrary<T[]> =>
  fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 3 });

/** Queries with the texts of a URL as values. Such a text also matches the number or literal that it parses to. */
const texts = new WeakSet<object>();

/** Generates a filter; in a URL every value is a text. */
export function drawnQuery(form: 'url' | 'body'): fc.Arbitrary<Query> {
  const asked = form === 'url' ? scalar.map(String) : scalar;
  const comparable = fc.constantFrom<string | number>(...strings, ...numbers);
  const bound = form === 'url' ? comparable.map(String) : comparable;
  const range = fc.oneof(
    fc.record({ gte: bound }),
    fc.record({ lte: bound }),
    fc.record({ gte: bound, lte: bound }),
  );
  const condition = fc.oneof(asked, fc.uniqueArray(asked, { minLength: 1, maxLength: 3 }), range);
  const conditions = fc.dictionary(fc.constantFrom(...keys), condition, {
    minKeys: 1,
    maxKeys: 2,
    noNullPrototype: true,
  });
  const others = fc.record({
    q: fc.constantFrom('', 'a', 'B', '1', '%', '_'),
    type: some(...types, 'none'),
    status: some(...statuses),
    source_type: some('UPLOAD', 'URL'),
    is_enabled: some(true, false),
    connector_id: some(...uuids.map((id) => id.toUpperCase())),
    sha256: some(...hashes),
    error_code: some(...codes),
    failed_plugin: some(...plugins),
    waiting: fc.boolean(),
    created_after: time,
    created_before: time,
    updated_after: time,
    updated_before: time,
  });
  // All conditions together would match nothing.
  const few = others.chain((query) =>
    fc
      .shuffledSubarray(Object.keys(query) as (keyof Query)[], { maxLength: 2 })
      .map((names) => Object.fromEntries(names.map((name) => [name, (query as Query)[name]])) as Query),
  );
  return fc.tuple(few, fc.option(conditions)).map(([query, metadata]) => {
    const drawn = { ...query, ...(metadata !== null && { metadata }) };
    if (form === 'url') texts.add(drawn);
    return drawn;
  });
}

/** Whether a resource matches, by a straightforward implementation. */
export function matches(resource: Drawn, query: Query): boolean {
  const among = (wanted: readonly unknown[] | undefined, actual: unknown): boolean =>
    wanted === undefined || wanted.includes(actual);
  const isText = texts.has(query);
  return (
    (query.q === undefined || resource.name.toLowerCase().includes(query.q.toLowerCase())) &&
    among(query.type, resource.type) &&
    among(query.status, resource.status) &&
    among(query.source_type, resource.source_type) &&
    among(query.is_enabled, resource.is_enabled) &&
    among(
      query.connector_id?.map((id) => id.toLowerCase()),
      resource.connector_id,
    ) &&
    among(query.sha256, resource.sha256) &&
    among(query.error_code, resource.error_code) &&
    among(query.failed_plugin, resource.failed_plugin) &&
    (query.waiting === undefined || query.waiting === (resource.waited ?? 0) > 10) &&
    (query.created_after === undefined || resource.created_at >= query.created_after) &&
    (query.created_before === undefined || resource.created_at < query.created_before) &&
    (query.updated_after === undefined || resource.updated_at >= query.updated_after) &&
    (query.updated_before === undefined || resource.updated_at < query.updated_before) &&
    Object.entries(query.metadata ?? {}).every(
      ([key, asked]) =>
        Object.hasOwn(resource.metadata, key) && meets(resource.metadata[key] as Value, asked, isText),
    )
  );
}

function meets(actual: Value, asked: Scalar | readonly Scalar[] | Range, isText: boolean): boolean {
  if (typeof asked === 'object' && asked !== null && !Array.isArray(asked)) {
    const { gte, lte } = asked as Range;
    return isWithin(actual, gte, lte, isText);
  }
  const wanted = [asked as Scalar | readonly Scalar[]].flat().flatMap((each) => readings(each, isText));
  return [actual].flat().some((each) => wanted.includes(each));
}

function readings(asked: Scalar, isText: boolean): readonly Scalar[] {
  if (!isText || typeof asked !== 'string') return [asked];
  try {
    const read: unknown = JSON.parse(asked);
    return typeof read === 'string' || (typeof read === 'object' && read !== null)
      ? [asked]
      : [asked, read as Scalar];
  } catch {
    return [asked];
  }
}

function isWithin(actual: Value, gte: Range['gte'], lte: Range['lte'], isText: boolean): boolean {
  const bounds = [gte, lte].map((bound) => (bound === undefined ? undefined : readings(bound, isText)));
  if (typeof actual === 'number') {
    const [least, most] = bounds.map((bound) => bound?.find((each) => typeof each === 'number'));
    return (
      (gte === undefined || (least !== undefined && actual >= least)) &&
      (lte === undefined || (most !== undefined && actual <= most))
    );
  }
  if (typeof actual !== 'string') return false;
  const [least, most] = bounds.map((bound) => bound?.find((each) => typeof each === 'string'));
  return (
    (gte === undefined || (least !== undefined && compare(actual, least) >= 0)) &&
    (lte === undefined || (most !== undefined && compare(actual, most) <= 0))
  );
}

/** Compares by code points, which is the order of the UTF-8 bytes. */
const compare = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
