import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runPlugin } from '@knowledge-warehouse/plugin/testing';
import { plugin } from './plugin.js';

test('lists the headings of an earlier step’s text', async () => {
  const { artifacts } = await runPlugin(plugin, {
    inputs: { text: '# One\n\n## Two\n' },
    config: { depth: 1 },
  });
  assert.deepEqual(artifacts.get('outline')?.content, { headings: [{ level: 1, title: 'One', line: 1 }] });
});
