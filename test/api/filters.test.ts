import assert from 'node:assert/strict';
import fc from 'fast-check';
import { filterOfBody } from '../../api/request/resource-filter.js';
import { newOperationSchema } from '../../api/schemas/bulk-operation.js';
import { filterSchema, type FilterBody } from '../../api/schemas/resource-filter.js';
import { searchBody } from '../../api/schemas/search.js';
import { uuidv7 } from '../../core/ids.js';
import { resourceStatuses } from '../../core/states.js';
import { findingsOf } from '../../runtime/content/json-schema.js';
import { countMatching, listResources } from '../../storage/resources/resource-lists.js';
import { startApi, type TestApi } from '../support/service/api.js';
import {
  drawnQuery,
  drawnResources,
  matches,
  type Drawn,
  type Query,
} from '../support/models/filter-model.js';
import { isFull } from '../support/full.js';

describe('the filter language', () => {
  let api: TestApi;
  let drawn: readonly Drawn[];

  before(async () => {
    api = await startApi();
    drawn = fc.sample(drawnResources, { numRuns: 1, seed: 7 })[0]!;
    await insert(drawn);
  });
  after(() => api.stop());

  /** Writes rows as runs leave them. */
  async function insert(resources: readonly Drawn[]): Promise<void> {
    const { db } = api.deps;
    const bare = resources.map(({ waited, metadata, ...row }) => ({
      ...row,
      metadata: JSON.stringify(metadata),
      source_type: row.source_type,
      run: waited === null ? 0 : 1,
    }));
    await db('resources').insert(bare);
    const atWork = resources.filter(({ waited }) => waited !== null);
    await db('runs').insert(
      atWork.map(({ id, status }) => ({
        ...{ resource_id: id, run: 1, status, workflow_id: id, source_ready: true },
      })),
    );
    await db('steps').insert(
      atWork.map(({ id, waited }) => ({
        ...{ resource_id: id, run: 1, index: 0, plugin_id: 'p', kind: 'activity', max_attempts: 1 },
        ...{ backoff_seconds: 1, timeout_seconds: 60, status: 'RUNNING' },
        waiting_since: db.raw('now() - make_interval(secs => ?)', [waited as number]),
      })),
    );
  }

  const idsOf = (items: readonly { readonly id: string }[]): string[] => items.map(({ id }) => id);
  const expected = (query: Query): string[] =>
    idsOf(
      drawn
        .filter((resource) => matches(resource, query))
        .toSorted((a, b) =>
          a.created_at < b.created_at || (a.created_at === b.created_at && a.id < b.id) ? 1 : -1,
        ),
    );

  /** The whole list, page by page. */
  async function list(parameters: URLSearchParams): Promise<{ ids: string[]; total: unknown }> {
    const ids: string[] = [];
    let total: unknown;
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = new URLSearchParams([...parameters, ['limit', '40'], ['count', 'true']]);
      if (cursor !== '') page.set('cursor', cursor);
      const { status, body, text } = await api.call('GET', `/resources?${page.toString()}`);
      assert.equal(status, 200, `${page.toString()} ${text}`);
      ids.push(...idsOf(body.items));
      total ??= body.total;
      assert.deepEqual(body.total, total);
      cursor = body.next_cursor;
    }
    return { ids, total };
  }

  const runs = { numRuns: isFull ? 1_000 : 60 };

  it('finds the same resources by URL as a check of every resource', async () => {
    await fc.assert(
      fc.asyncProperty(drawnQuery('url'), async (query) => {
        const found = await list(toParameters(query));
        assert.deepEqual(found.ids, expected(query));
        assert.deepEqual(found.total, { value: found.ids.length, relation: 'eq' });
      }),
      runs,
    );
  });

  it('finds both small letters of a Greek sigma', async () => {
    const [id] = idsOf(drawn);
    const { db } = api.deps;
    const before: { name: string }[] = await db('resources').select('name').where({ id });
    await db('resources').where({ id }).update({ name: 'ΟΔΟΣ οδός' });
    for (const q of ['οδος', 'Οδοσ', 'ΟΔΟΣ', 'οδός', 'ΟΔΌΣ'])
      assert.deepEqual((await list(new URLSearchParams({ q }))).ids, [id], q);
    await db('resources').where({ id }).update(before[0]!);
  });

  it('finds the same by URL as by the object in a body', async () => {
    const schema = filterSchema();
    await fc.assert(
      fc.asyncProperty(drawnQuery('body'), async (query) => {
        const body = JSON.parse(JSON.stringify(query)) as FilterBody;
        assert.deepEqual(findingsOf(schema, body), []);
        const page = { limit: 1_000, sort: '-created_at', after: null } as const;
        const found = await listResources(api.deps.db, filterOfBody(body), page);
        assert.deepEqual(idsOf(found), expected(query));
      }),
      runs,
    );
  });

  it('orders by each sort, without gaps or duplicates between pages', async () => {
    const by = {
      created_at: ({ created_at }: Drawn) => created_at,
      updated_at: ({ updated_at }: Drawn) => updated_at,
      name: ({ name }: Drawn) => name,
      size_bytes: ({ size_bytes }: Drawn) => size_bytes ?? -1,
    } as const;
    for (const [column, valueOf] of Object.entries(by))
      for (const sign of ['', '-']) {
        const { ids } = await list(new URLSearchParams({ sort: `${sign}${column}` }));
        const ordered = drawn.toSorted((a, b) => {
          const [x, y] = [valueOf(a), valueOf(b)];
          return x === y ? (a.id < b.id ? -1 : 1) : x < y ? -1 : 1;
        });
        assert.deepEqual(ids, idsOf(sign === '' ? ordered : ordered.toReversed()), `${sign}${column}`);
      }
  });

  it('rejects a cursor of a list with a different sort or filters', async () => {
    const first = (await api.call('GET', '/resources?limit=1&status=COMPLETED')).body.next_cursor;
    assert.equal((await api.call('GET', `/resources?status=COMPLETED&cursor=${first}`)).status, 200);
    for (const query of [
      `cursor=${first}`,
      `status=FAILED&cursor=${first}`,
      `status=COMPLETED&sort=name&cursor=${first}`,
    ]) {
      const { status, body } = await api.call('GET', `/resources?${query}`);
      assert.deepEqual([status, body.error.details.errors[0].path], [400, '/cursor'], query);
    }
  });

  it('rejects a cursor with a year that PostgreSQL does not have', async () => {
    const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const { next_cursor } = (await api.call('GET', '/resources?limit=1')).body;
    const [, id, list] = JSON.parse(Buffer.from(next_cursor, 'base64url').toString());
    for (const year of ['-271821', '+012025', '0000'])
      for (const path of ['/resources', '/keys']) {
        const cursor = encode([`${year}-11-20T09:30:00.000Z`, id, ...(path === '/resources' ? [list] : [])]);
        const { status, body } = await api.call('GET', `${path}?cursor=${cursor}`);
        assert.deepEqual([status, body.error.details.errors?.[0].path], [400, '/cursor'], `${path} ${year}`);
      }
  });

  it('reads every instant of RFC 3339', () => {
    const instants: Readonly<Record<string, string>> = {
      '2025-11-20T09:30:00Z': '2025-11-20T09:30:00.000Z',
      '2025-11-20t10:30:00.1230001+01:00': '2025-11-20T09:30:00.124Z',
      '9999-12-31T23:59:59.9999999Z': '9999-12-31T23:59:59.999Z',
      '9999-12-31T23:59:60Z': '9999-12-31T23:59:59.999Z',
      '2016-12-31T23:59:60Z': '2017-01-01T00:00:00.000Z',
      '2017-01-01 00:59:60.5+01:00': '2017-01-01T00:00:00.500Z',
    };
    for (const [created_after, expected] of Object.entries(instants)) {
      assert.deepEqual(findingsOf(filterSchema(), { created_after }), [], created_after);
      assert.deepEqual(filterOfBody({ created_after }), { created_after: expected });
    }
  });

  it('counts no further than necessary', async () => {
    assert.deepEqual(await countMatching(api.deps.db, {}, 3), { value: 3, relation: 'gte' });
    assert.deepEqual(await countMatching(api.deps.db, {}, drawn.length), {
      value: drawn.length,
      relation: 'eq',
    });
    assert.equal((await api.call('GET', '/resources?count=false')).body.total, undefined);
  });

  it('rejects what it does not know, with the location and the rule', async () => {
    const bad: readonly [query: string, path: string, rule?: string][] = [
      ['colour=red', '/colour'],
      ['metadata=x', '/metadata', 'must name a key: metadata.KEY=VALUE'],
      ['metadata=x&metadata.team=y', '/metadata', 'must name a key: metadata.KEY=VALUE'],
      ['metadata.=x', '/metadata.'],
      ['metadata.a%20b=x', '/metadata.a b'],
      [`metadata.${'k'.repeat(65)}=x`, `/metadata.${'k'.repeat(65)}`],
      ['metadata.k[gt]=1', '/metadata.k[gt]'],
      ['metadata.k[gte]=1&metadata.k[gte]=2', '/metadata.k[gte]'],
      ['metadata.k=a%00b', '/metadata.k'],
      ['type=a%00b', '/type'],
      [`type=${'x'.repeat(1001)}`, '/type'],
      ['error_code=a%00b', '/error_code'],
      ['status=DONE', '/status'],
      ['status=FAILED&status=DONE', '/status'],
      ['is_enabled=yes', '/is_enabled'],
      ['connector_id=7', '/connector_id'],
      ['sha256=abc', '/sha256'],
      ['waiting=maybe', '/waiting'],
      ['waiting=true&waiting=false', '/waiting'],
      ['q=a&q=b', '/q'],
      ['sort=size', '/sort'],
      ['sort=name&sort=-name', '/sort'],
      ['count=1', '/count'],
      ['limit=1e2', '/limit'],
      ['created_after=yesterday', '/created_after'],
      ['created_after=2025-11-20', '/created_after'],
      ['created_after=2025-13-01T00:00:00Z', '/created_after'],
      ['created_before=0000-01-01T00:00:00Z', '/created_before'],
      ['updated_after=2016-12-31T22:59:60Z', '/updated_after'],
      ['updated_before=2025-01-01T00:00:00Z&updated_before=2025-01-01T00:00:00Z', '/updated_before'],
      [Array.from({ length: 101 }, () => 'type=a').join('&'), '/type'],
    ];
    for (const [query, path, rule] of bad) {
      const { status, body } = await api.call('GET', `/resources?${query}`);
      assert.deepEqual([status, body.error?.code], [400, 'VALIDATION_FAILED'], query.slice(0, 100));
      const [first] = body.error.details.errors;
      assert.deepEqual([first.path, rule ?? first.message], [path, first.message], query.slice(0, 100));
    }
    const bodies: readonly object[] = [
      { colour: 'red' },
      { all: true },
      { status: [] },
      { status: 'DONE' },
      { is_enabled: 'true' },
      { metadata: { 'a b': 1 } },
      { metadata: { k: {} } },
      { metadata: { k: { gt: 1 } } },
      { metadata: { k: { gte: true } } },
      { metadata: { k: [['x']] } },
      { metadata: { k: 'a\u0000b' } },
      { metadata: { k: '\ud800' } },
      { waiting: 'true' },
      { created_after: 5 },
    ];
    for (const body of bodies)
      assert.notDeepEqual(findingsOf(filterSchema(), body), [], JSON.stringify(body));
    assert.notDeepEqual(findingsOf(filterSchema(['all', 'q', 'waiting']), { q: 'x' }), []);
    assert.deepEqual(findingsOf(filterSchema([]), { all: true }), []);
  });

  it('names the wrong part of a value or a list, not the type that it might also have', async () => {
    const isStatus = `must be one of ${resourceStatuses.join(', ')}`;
    const wrong: readonly [schema: object, body: object, ...findings: string[]][] = [
      [filterSchema(), { status: ['FAILED', 'X'] }, `/status/1: ${isStatus}`],
      [filterSchema(), { status: 'X' }, `/status: ${isStatus}`],
      [filterSchema(), { type: [] }, '/type: must NOT have fewer than 1 items'],
      [filterSchema(), { failed_plugin: [null] }, '/failed_plugin/0: must be string'],
      [filterSchema(), { type: 5 }, '/type: must be string or array'],
      [
        searchBody,
        { q: 'a', resource_id: [`urn:uuid:${uuidv7()}`] },
        '/resource_id/0: must match format "uuid"',
      ],
      [
        searchBody,
        { q: 'a', resource_id: Array.from({ length: 1_001 }, () => uuidv7()) },
        '/resource_id: must NOT have more than 1000 items',
      ],
      [filterSchema([]), { all: false }, '/all: must be true'],
      [newOperationSchema, { action: 'reprocess', from_step: -1 }, '/from_step: must be >= 0 or failed'],
      [newOperationSchema, { action: 'reprocess', from_step: null }, '/from_step: must be integer or failed'],
      // The other branch accepts a text too.
      [
        { anyOf: [{ type: 'integer' }, { const: 'failed' }] },
        'last' as unknown as object,
        ': must be integer or failed',
      ],
      [
        {
          type: 'array',
          items: { anyOf: [{ type: 'string' }, { type: 'array', items: { $ref: '#/items' } }] },
        },
        ['a', ['b', [1, 'c']]],
        '/1/1/0: must be string or array',
      ],
    ];
    for (const [schema, body, ...findings] of wrong)
      assert.deepEqual(
        findingsOf(schema, body).map(({ path, message }) => `${path}: ${message}`),
        findings,
      );
    const { body } = await api.call('POST', '/operations', { action: 'delete', filter: { status: ['X'] } });
    assert.deepEqual(body.error.details.errors, [{ path: '/filter/status/0', message: isStatus }]);
  });
});

/** A query as a client writes it into a URL. */
function toParameters({ metadata = {}, ...rest }: Query): URLSearchParams {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(rest))
    for (const each of [value].flat()) parameters.append(name, String(each));
  for (const [key, asked] of Object.entries(metadata)) {
    const isRange = typeof asked === 'object' && asked !== null && !Array.isArray(asked);
    for (const [bound, value] of isRange ? Object.entries(asked) : [['', asked] as const])
      for (const each of [value].flat())
        parameters.append(`metadata.${key}${bound && `[${bound}]`}`, String(each));
  }
  return parameters;
}
