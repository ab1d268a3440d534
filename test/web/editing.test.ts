import assert from 'node:assert/strict';
import { embedConfig } from '../../plugins/embed/config.js';
import { isSame, moveItem, newStep, problemOf, toPipeline } from '../../web/src/views/pipeline/draft.js';
import {
  formFields,
  readConfig,
  setMember,
  writeConfig,
} from '../../web/src/views/plugin/config/schema-fields.js';

describe('a pipeline being edited', () => {
  const draft = {
    name: ' Documents ',
    trigger_type: 'document',
    steps: [{ ...newStep('extract-text'), timeout_seconds: 0.5 as const }, newStep('chunk-text')],
  };

  it('is sent without what is left to the service', () => {
    assert.deepEqual(toPipeline(draft), {
      name: 'Documents',
      trigger_type: 'document',
      steps: [{ plugin_id: 'extract-text', timeout_seconds: 0.5 }, { plugin_id: 'chunk-text' }],
    });
  });

  it('says what is missing', () => {
    assert.equal(problemOf(draft), null);
    assert.match(problemOf({ ...draft, name: ' ' }) ?? '', /name/);
    assert.match(problemOf({ ...draft, steps: [] }) ?? '', /step/);
    assert.match(problemOf({ ...draft, steps: [...draft.steps, newStep()] }) ?? '', /step 3/);
    const wrong = { ...newStep('chunk-text'), max_attempts: 101 } as const;
    assert.match(problemOf({ ...draft, steps: [...draft.steps, wrong] }) ?? '', /attempts of step 3/);
  });

  it('is changed by moving a step, not by moving it back', () => {
    const moved = { ...draft, steps: moveItem(draft.steps, 0, 1) };
    assert.equal(isSame(draft, moved), false);
    assert.equal(isSame(draft, { ...draft, steps: moveItem(moved.steps, 1, 0) }), true);
    assert.deepEqual(moveItem([1, 2, 3], 0, 3), [1, 2, 3]);
  });
});

describe('a config being edited', () => {
  it('has a field for each member that the plugin declares', () => {
    const fields = formFields(embedConfig);
    const kinds = Object.fromEntries(fields.map(({ name, kind }) => [name, kind]));
    assert.deepEqual(kinds, {
      base_url: 'text',
      model: 'text',
      api_key: 'secret',
      batch_size: 'integer',
      dimensions: 'integer',
      timeout_seconds: 'number',
    });
    const [base, , , batch] = fields;
    assert.deepEqual([base?.isRequired, batch?.usual, batch?.min, batch?.max], [true, '32', 1, 2048]);
  });

  it('falls back to JSON for what a form cannot hold', () => {
    const schema = {
      properties: {
        any: {},
        mixed: { type: ['string', 'null'] },
        list: { type: 'array', items: { type: 'string' } },
        numbers: { type: 'array', items: { type: 'number' } },
        group: { type: 'object', properties: { a: { type: 'boolean' } } },
        free: { type: 'object' },
        mode: { enum: ['fast', 'best'] },
      },
    };
    assert.deepEqual(
      formFields(schema).map(({ kind }) => kind),
      ['json', 'json', 'list', 'json', 'group', 'json', 'choice'],
    );
    for (const none of [null, true, [], {}, { properties: 3 }]) assert.deepEqual(formFields(none), []);
  });

  it('keeps the order and the strange names of its members', () => {
    const config = readConfig('{"b": 1, "__proto__": {"x": 1}, "a": 2}');
    assert.ok(typeof config !== 'string');
    const changed = setMember(setMember(config, 'b', 5), 'c', 1);
    assert.equal(JSON.stringify(changed), '{"b":5,"__proto__":{"x":1},"a":2,"c":1}');
    assert.equal(writeConfig(setMember(changed, 'a', undefined)).includes('"a"'), false);
  });

  it('is an object or says why it is none', () => {
    for (const text of ['', '[]', 'null', '3', '{"a": }'])
      assert.equal(typeof readConfig(text), 'string', text);
  });
});
