import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runPlugin } from '@knowledge-warehouse/plugin/testing';
import { plugin } from './plugin.js';

test('finds the most frequent words', async () => {
  const { artifacts } = await runPlugin(plugin, {
    source: 'One word, two words, more words.',
    config: { limit: 1 },
  });
  assert.deepEqual(artifacts.get('keywords')?.content, { words: [{ word: 'words', count: 2 }] });
});

test('fails permanently if there are none', async () => {
  await assert.rejects(runPlugin(plugin, { source: '1 + 1' }), { code: 'NO_WORDS' });
});
