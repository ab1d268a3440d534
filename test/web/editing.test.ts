import assert from 'node:assert/strict';
import type { JsonObject } from '../../web/src/api/client.js';
import { embedConfig } from '../../plugins/embed/config.js';
import { isSame, moveItem, newStep, problemOf, toPipeline } from '../../web/src/views/pipeline/draft.js';
import { flowOf } from '../../web/src/views/pipeline/flow.js';
import { readConfig } from '../../web/src/views/plugin/config/config-text.js';
import { fieldKeyword, toFormSchema } from '../../web/src/views/plugin/config/form-schema.js';
import { maskSecrets, renewSecrets, restoreSecrets } from '../../web/src/views/plugin/config/secrets.js';
import { withoutUnset } from '../../web/src/views/plugin/config/without-unset.js';

describe('a pipeline being edited', () => {
  const draft = {
    name: ' Documents ',
    trigger_type: 'document',
    steps: [{ ...newStep('extract-text'), timeout_seconds: '0.5' }, newStep('chunk-text')],
  };

  it("is sent without values left to the service's defaults", () => {
    assert.deepEqual(toPipeline(draft), {
      name: 'Documents',
      trigger_type: 'document',
      steps: [{ plugin_id: 'extract-text', timeout_seconds: 0.5 }, { plugin_id: 'chunk-text' }],
    });
  });

  it('reports what is missing', () => {
    assert.equal(problemOf(draft), null);
    assert.match(problemOf({ ...draft, name: ' ' }) ?? '', /name/);
    assert.match(problemOf({ ...draft, steps: [] }) ?? '', /step/);
    assert.match(problemOf({ ...draft, steps: [...draft.steps, newStep()] }) ?? '', /step 3/);
    for (const max_attempts of ['101', '1.5', '-5', '1e', '1e999']) {
      const wrong = { ...newStep('chunk-text'), max_attempts };
      assert.match(problemOf({ ...draft, steps: [...draft.steps, wrong] }) ?? '', /attempts of step 3/);
    }
  });

  it('is changed by moving a step, but not after moving it back', () => {
    const moved = { ...draft, steps: moveItem(draft.steps, 0, 1) };
    assert.equal(isSame(draft, moved), false);
    assert.equal(isSame(draft, { ...draft, steps: moveItem(moved.steps, 1, 0) }), true);
    assert.deepEqual(moveItem([1, 2, 3], 0, 3), [1, 2, 3]);
  });
});

describe('the steps of a pipeline being edited', () => {
  const plugins = [
    { id: 'extract', reads: [], produces: ['text'] },
    { id: 'chunk', reads: ['text'], produces: ['chunks'] },
    { id: 'translate', reads: ['text'], produces: ['text'] },
    { id: 'silent', reads: null, produces: [] },
  ];
  const flow = (...ids: readonly string[]) =>
    flowOf(
      ids.map((plugin_id) => ({ plugin_id })),
      plugins,
    ).map((step) => step?.reads?.map(({ type, from, later }) => [type, from, later]) ?? null);

  it('read what the latest earlier step produces', () => {
    assert.deepEqual(flow('extract', 'translate', 'silent', 'chunk'), [
      [],
      [['text', 0, null]],
      null,
      [['text', 1, null]],
    ]);
  });

  it('lack what no step before them produces, although a later one or they themselves do', () => {
    assert.deepEqual(flow('chunk', 'extract'), [[['text', null, 1]], []]);
    assert.deepEqual(flow('translate'), [[['text', null, null]]]);
    assert.deepEqual(flow('unknown', 'chunk'), [null, [['text', null, null]]]);
  });
});

describe('a config being edited', () => {
  it('has a form for the fields that the plugin declares', () => {
    const { schema } = toFormSchema(embedConfig);
    assert.ok(schema);
    assert.deepEqual(schema.required, ['base_url', 'model']);
    assert.deepEqual(Object.keys(schema.properties ?? {}), Object.keys(embedConfig.properties));
    const { batch_size } = schema.properties as Record<string, Record<string, unknown>>;
    assert.deepEqual(
      [batch_size?.['type'], batch_size?.['default'], batch_size?.['minimum'], batch_size?.['maximum']],
      ['integer', 32, 1, 2048],
    );
  });

  it('has its references resolved, and JSON where a form cannot follow them', () => {
    const { schema } = toFormSchema({
      $defs: { site: { type: 'object', properties: { host: { type: 'string', pattern: '^(a+)+$' } } } },
      properties: {
        any: {},
        maybe: { anyOf: [{ type: 'string' }, { type: 'null' }] },
        list: { type: 'array', items: { type: 'string' } },
        sites: { type: 'array', items: { $ref: '#/$defs/site' } },
        free: { type: 'object' },
        mode: { enum: ['fast', 'best'] },
        fixed: { const: 3 },
        again: { $ref: '#' },
        elsewhere: { $ref: 'https://example.com/schema.json' },
        marked: { allOf: [{ type: 'string' }, { writeOnly: true, minLength: 2 }] },
      },
    });
    const site = { type: 'object', properties: { host: { type: 'string' } } };
    assert.deepEqual(schema?.properties, {
      any: { [fieldKeyword]: 'json' },
      maybe: { type: ['string', 'null'] },
      list: { type: 'array', items: { type: 'string' }, [fieldKeyword]: 'lines' },
      sites: { type: 'array', items: site },
      free: { [fieldKeyword]: 'json' },
      mode: { type: 'string', enum: ['fast', 'best'] },
      fixed: { type: 'number', enum: [3] },
      again: { [fieldKeyword]: 'json' },
      elsewhere: { [fieldKeyword]: 'json' },
      marked: { type: 'string', minLength: 2 },
    });
    for (const none of [null, true, [], {}, { properties: 3 }, { properties: { ['__proto__']: {} } }])
      assert.equal(toFormSchema(none).schema, undefined);
  });

  it('has no form if its schema is too large, or has no fields', () => {
    const fields = (count: number): object => ({
      properties: Object.fromEntries(
        Array.from({ length: count }, (_, at) => [`p${at}`, { type: 'string' }]),
      ),
    });
    assert.equal(toFormSchema(fields(499)).why, undefined);
    assert.equal(toFormSchema(fields(500)).why, 'The config schema is too large for a form.');
    assert.equal(toFormSchema(true).why, 'The config schema has no fields that a form can show.');
    assert.equal(toFormSchema(null).why, 'This plugin declares no config schema.');
  });

  it('shows marks in place of its secrets, which are restored where the marks were moved', () => {
    const secret = { writeOnly: true };
    const schema = {
      properties: { key: secret, sites: { items: { properties: { token: secret } } } },
    };
    const sites = [
      { host: 'one', token: { a: 1 } },
      { host: 'two', token: 'b' },
    ];
    const { config, secrets } = maskSecrets(schema, { key: 's', sites, note: '(kept: /key)' });
    const marks = [
      { host: 'one', token: '(kept: /sites/0/token)' },
      { host: 'two', token: '(kept: /sites/1/token)' },
    ];
    assert.deepEqual(config, { key: '(kept: /key)*', sites: marks, note: '(kept: /key)' });
    const moved = { ...config, sites: marks.toReversed() };
    assert.deepEqual(restoreSecrets(moved, secrets), {
      key: 's',
      sites: sites.toReversed(),
      note: '(kept: /key)',
    });
    assert.deepEqual(maskSecrets({ writeOnly: true }, { a: 1 }).config, { a: '(kept: /a)' });
    const alike = { a: { b: 1 }, 'a/b': 2 };
    const both = maskSecrets({ properties: { a: { properties: { b: secret } }, 'a/b': secret } }, alike);
    assert.deepEqual(restoreSecrets(both.config, both.secrets), alike);
  });

  it('takes secrets that others replaced meanwhile, but none of another item', () => {
    const secret = { writeOnly: true };
    const schema = {
      properties: { key: secret, gone: secret, sites: { items: { properties: { token: secret } } } },
    };
    const before = { key: 'old', gone: 'g', sites: [{ host: 'one', token: 'a' }] };
    const edited = maskSecrets(schema, before);
    const renewed = (now: JsonObject): object =>
      restoreSecrets(edited.config, renewSecrets(edited, maskSecrets(schema, now)));
    const rotated = [{ host: 'one', token: 'b' }];
    assert.deepEqual(renewed({ key: 'new', sites: rotated }), { key: 'new', gone: 'g', sites: rotated });
    const sites = [{ host: 'zero', token: 'z' }, ...rotated];
    assert.deepEqual(renewed({ ...before, sites }), before);
  });

  it('keeps its order, empty values and all JSON, and drops unset values', () => {
    const x = { properties: { x: { type: 'number' } } };
    const { schema } = toFormSchema({
      properties: {
        group: x,
        was: x,
        new: x,
        list: { type: 'array', items: x },
        choice: { anyOf: [{ type: 'string' }, { properties: { group: x, free: {} } }] },
        free: { type: 'object' },
        text: { type: 'string' },
      },
    });
    assert.ok(schema);
    const json = { b: 1, a: {}, c: [{ d: {} }] };
    const before = { b: 1, group: { x: 1 }, was: {}, list: [{ x: 1 }], free: { b: 1 } };
    const kept = { was: {}, list: [{}, null], free: json, text: [json], undeclared: {} };
    const after = {
      ...kept,
      b: undefined,
      group: { x: undefined },
      new: {},
      list: [{ x: undefined }, undefined],
      choice: { group: {}, free: json },
      a: 2,
    };
    const expected = { ...kept, choice: { free: json }, a: 2 };
    assert.equal(JSON.stringify(withoutUnset(after, before, [schema])), JSON.stringify(expected));
  });

  it('is an object, or explains why not', () => {
    for (const text of ['', '[]', 'null', '3', '{"a": }'])
      assert.equal(typeof readConfig(text), 'string', text);
  });
});
