import assert from 'node:assert/strict';
import type { SearchHit } from '@knowledge-warehouse/client';
import { readQuery } from '../../api/request/query.js';
import { filterOfBody, filterOfQuery } from '../../api/request/resource-filter.js';
import { newOperationSchema } from '../../api/schemas/bulk-operation.js';
import {
  filterParameters,
  filterSchema,
  type FilterBody,
  type FilterParameters,
} from '../../api/schemas/resource-filter.js';
import { searchBody } from '../../api/schemas/search.js';
import { findingsOf } from '../../runtime/content/json-schema.js';
import { filterIn, toOperationFilter } from '../../web/src/views/resources/filter.js';
import { dayAfter, dayBefore, endOfDay, startOfDay } from '../../web/src/views/resources/days.js';
import { describeFound, readSearch, writeSize } from '../../web/src/views/search/search-query.js';

const bodyOf = (address: string): unknown => toOperationFilter(filterIn(new URLSearchParams(address)));
const isAccepted = (filter: unknown): boolean =>
  findingsOf(newOperationSchema, { action: 'delete', filter }).length === 0;

/** What the API understands of the request for the list, and of the request for the operation. */
function understood(address: string): { readonly list: unknown; readonly operation: unknown } {
  const sent = new URLSearchParams();
  for (const [name, values] of Object.entries(filterIn(new URLSearchParams(address))))
    for (const value of values) sent.append(name, value);
  const query = readQuery(
    { type: 'object', properties: filterParameters() },
    sent.toString(),
  ) as FilterParameters;
  return { list: filterOfQuery(query), operation: filterOfBody(bodyOf(address) as FilterBody) };
}

describe('the filter of an operation on everything that the list shows', () => {
  const cases: readonly (readonly [address: string, body: object])[] = [
    ['type=note', { type: 'note' }],
    ['status=FAILED&status=CANCELLED&type=note', { status: ['FAILED', 'CANCELLED'], type: 'note' }],
    ['q=50%25+of+a%26b', { q: '50% of a&b' }],
    ['is_enabled=false', { is_enabled: false }],
    ['is_enabled=true&is_enabled=false', { is_enabled: [true, false] }],
    ['waiting=true', { waiting: true }],
    ['waiting=false', { waiting: false }],
    ['error_code=A&error_code=B&failed_plugin=far', { error_code: ['A', 'B'], failed_plugin: 'far' }],
    [
      'created_after=2025-11-20T00:00:00.000Z&updated_before=2025-11-21T00:00:00.000Z',
      { created_after: '2025-11-20T00:00:00.000Z', updated_before: '2025-11-21T00:00:00.000Z' },
    ],
    [`sha256=${'a'.repeat(64)}`, { sha256: 'a'.repeat(64) }],
    [
      'connector_id=0190d5c4-1111-7000-8000-000000000000',
      { connector_id: '0190d5c4-1111-7000-8000-000000000000' },
    ],
    ['metadata.team=archive', { metadata: { team: 'archive' } }],
    ['metadata.team=archive&metadata.team=press', { metadata: { team: ['archive', 'press'] } }],
    ['metadata.year=2020', { metadata: { year: ['2020', 2020] } }],
    ['metadata.draft=true&metadata.by=null', { metadata: { draft: ['true', true], by: ['null', null] } }],
    // Only JSON's own spelling is a number; quoted texts and objects are only texts.
    ['metadata.a=007&metadata.a=%205&metadata.a=1e999', { metadata: { a: ['007', ' 5', '1e999'] } }],
    ['metadata.a="x"&metadata.b={"c":1}', { metadata: { a: '"x"', b: '{"c":1}' } }],
    ['metadata.name[gte]=b&metadata.name[lte]=true', { metadata: { name: { gte: 'b', lte: 'true' } } }],
    ['metadata.__proto__=x', { metadata: { ['__proto__']: 'x' } }],
    ['sort=name&limit=200&cursor=abc&q=', { all: true }],
  ];
  for (const [address, body] of cases) {
    it(`is that of the list for ${address}`, () => {
      assert.deepEqual(bodyOf(address), body);
      assert.equal(isAccepted(bodyOf(address)), true);
      const { list, operation } = understood(address);
      assert.deepEqual(operation, 'all' in body ? { ...(list as object), all: true } : list);
    });
  }

  it('has numbers as bounds, which leave out the texts that the list also compares', () => {
    const address = 'metadata.year[gte]=2020&metadata.year[lte]=2024.5';
    assert.deepEqual(bodyOf(address), { metadata: { year: { gte: 2020, lte: 2024.5 } } });
    assert.equal(isAccepted(bodyOf(address)), true);
    const [gte, lte] = [2020, 2024.5];
    assert.deepEqual(understood(address), {
      list: {
        metadata: [{ key: 'year', gte: { text: '2020', number: gte }, lte: { text: '2024.5', number: lte } }],
      },
      operation: { metadata: [{ key: 'year', gte: { number: gte }, lte: { number: lte } }] },
    });
  });

  it('is rejected by the API, not widened, if a body cannot express it', () => {
    for (const address of [
      'metadata.year[gte]=2020&metadata.year=2021',
      'metadata.year=2021&metadata.year[gte]=2020',
      'metadata.year[gte]=2020&metadata.year[gte]=2021',
      'metadata.year[gt]=2020',
      'metadata.=x',
      'q=a&q=b',
      'waiting=yes',
      'is_enabled=1',
      'status=LOST',
    ])
      assert.equal(isAccepted(bodyOf(address)), false, address);
    assert.equal(isAccepted(toOperationFilter({ owner: ['me'] })), false);
  });

  it('leaves out an unknown name, as the list does', () => {
    assert.deepEqual(filterIn(new URLSearchParams('owner=me&type=note')), { type: ['note'] });
    assert.deepEqual(bodyOf('owner=me&type=note'), { type: 'note' });
  });
});

/** Hits of resources with these ids. */
const hitsOf = (...ids: readonly string[]): SearchHit[] =>
  ids.map((id) => ({ resource: { id } }) as SearchHit);

describe('the filter in the address of a search', () => {
  const bodyOfSearch = (address: string): Readonly<Record<string, unknown>> =>
    readSearch(new URLSearchParams(`q=disks&${address}`)).body as never;
  const id = '8a2c5e7b-4f1d-4c3e-9b6a-0d1e2f3a4b5c';

  it('is sent with every name that the search has', () => {
    const day = '2025-01-01T00:00:00Z';
    const address = [
      'type=a&type=b&source_type=URL&is_enabled=true&error_code=X&failed_plugin=echo',
      `sha256=${'a'.repeat(64)}&connector_id=${id}&resource_id=${id}`,
      `created_after=${day}&created_before=${day}&updated_after=${day}&updated_before=${day}`,
      'metadata.team=x&metadata.year[gte]=2020',
    ].join('&');
    const body = bodyOfSearch(address);
    assert.deepEqual(findingsOf(searchBody, body), []);
    assert.deepEqual(body['resource_id'], [id]);
    const { properties } = filterSchema(['all', 'q', 'status', 'waiting']) as { readonly properties: object };
    assert.deepEqual(Object.keys(body['filter'] as object).sort(), Object.keys(properties).sort());
    assert.deepEqual(findingsOf(searchBody, bodyOfSearch('')), []);
  });

  it('asks for all hits of a single resource, and for more of each one if asked', () => {
    const sizeOf = (address: string): readonly unknown[] => {
      const { limit, per_resource } = bodyOfSearch(address);
      return [limit, per_resource];
    };
    assert.deepEqual(sizeOf(`resource_id=${id}`), [10, 10]);
    assert.deepEqual(sizeOf(`resource_id=${id}&limit=50`), [50, 50]);
    assert.deepEqual(sizeOf(`resource_id=${id}&resource_id=x`), [10, 3]);
    const next = new URLSearchParams();
    writeSize(next, describeFound({ limit: 10, perResource: 3 }, hitsOf('a', 'a', 'a', 'b')).more!);
    assert.deepEqual(sizeOf(String(next)), [50, 50]);
  });

  it('is rejected if the search does not have it', () => {
    for (const address of ['status=FAILED', 'waiting=true', 'created_after=soon', 'resource_id=x'])
      assert.notDeepEqual(findingsOf(searchBody, bodyOfSearch(address)), [], address);
  });
});

describe('the hits of a search', () => {
  it('are the best ones, or the best of each document, and more are offered, or all', () => {
    const size = { limit: 10, perResource: 3 };
    const [many, most] = [
      { limit: 50, perResource: 3 },
      { limit: 50, perResource: 50 },
    ];
    const found = (...ids: readonly string[]): object => describeFound(size, hitsOf(...ids));
    assert.deepEqual(found('a', 'a', 'b'), { summary: '3 passages found', more: null });
    assert.deepEqual(found(), { summary: '0 passages found', more: null });
    const each = '4 passages, the best of each document';
    assert.deepEqual(found('a', 'a', 'b', 'a'), { summary: each, more: most });
    const ten = 'aaabbbcccd'.split('');
    assert.deepEqual(found(...ten), { summary: 'The best 10 passages', more: many });
    assert.deepEqual(describeFound(most, hitsOf(...Array<string>(50).fill('a'))).more, null);
  });
});

describe('a day of a filter', () => {
  it('is left to the API to reject if it is invalid', () => {
    assert.deepEqual([dayAfter('2024-02-28'), dayBefore('2024-03-01')], ['2024-02-29', '2024-02-29']);
    for (const read of [dayAfter, dayBefore, startOfDay, endOfDay])
      assert.equal(read('20266-01-01'), '20266-01-01');
  });
});
