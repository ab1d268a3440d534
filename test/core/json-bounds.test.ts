import assert from 'node:assert/strict';
import { findInfinite } from '../../core/json/json-bounds.js';

describe('an infinite number', () => {
  const pathIn = (text: string): string | undefined => findInfinite(JSON.parse(text))[0]?.path;

  it('is found wherever it is', () => {
    assert.equal(pathIn('{"a":[1,null,{"b":"1e400"}]}'), undefined);
    assert.equal(pathIn('1e400'), '');
    assert.equal(pathIn('{"a":[1,{"b/c~":-1e400}]}'), '/a/1/b~1c~0');
  });

  it('is found by reading each value once, however deep it is', () => {
    let reads = 0;
    let value: unknown = Infinity;
    for (let level = 0; level < 100; level++) {
      const inner = value;
      value = Object.defineProperty({ other: level }, 'inner', {
        enumerable: true,
        get: () => ((reads += 1), inner),
      });
    }
    assert.equal(findInfinite(value)[0]?.path, '/inner'.repeat(100));
    assert.equal(reads, 100);
  });
});
