import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { withTimeLimit } from '../../core/time-limit.js';

describe('a time limit', () => {
  it('ends what takes longer', async () => {
    const never = new Promise<string>(() => undefined);
    assert.equal(await withTimeLimit(50, never, () => 'late'), 'late');
  });

  it('does not count a pause of the process, during which the answer arrives', async () => {
    const answer = stat('package.json').then(() => 'in time');
    const result = withTimeLimit(100, answer, () => 'late');
    const until = performance.now() + 300;
    while (performance.now() < until);
    assert.equal(await result, 'in time');
  });
});
