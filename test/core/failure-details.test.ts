import assert from 'node:assert/strict';
import { checkFailure, fitDetails, maxDetailsBytes } from '@knowledge-warehouse/plugin/protocol';

/** Details of so many bytes as JSON; each é is two of them. */
const ofBytes = (bytes: number): Record<string, unknown> => ({
  é: 'é'.repeat((bytes - 9) / 2) + 'x'.repeat((bytes - 9) % 2),
});

describe('the details of a failure', () => {
  it('are counted in bytes of JSON', () => {
    const report = (bytes: number) => ({ status: 'FAILURE', error: { details: ofBytes(bytes) } }) as const;
    assert.equal(JSON.stringify(ofBytes(maxDetailsBytes + 1)).length < maxDetailsBytes, true);
    assert.deepEqual(checkFailure(report(maxDetailsBytes)), []);
    assert.deepEqual(
      checkFailure(report(maxDetailsBytes + 1)).map(({ path }) => path),
      ['/error/details'],
    );
    assert.deepEqual(checkFailure({ status: 'FAILURE' }), []);
  });

  it('are kept while they fit, and otherwise replaced with a note', () => {
    assert.deepEqual(fitDetails(ofBytes(maxDetailsBytes)), ofBytes(maxDetailsBytes));
    assert.deepEqual(fitDetails(ofBytes(maxDetailsBytes + 1)), {
      left_out: 'details of more than 65536 bytes',
    });
  });

  it('that are not JSON are replaced with a note too', () => {
    const round: Record<string, unknown> = {};
    round['itself'] = round;
    assert.match(String(fitDetails(round)['left_out']), /circular/);
    assert.match(String(fitDetails({ big: 1n })['left_out']), /BigInt/);
  });
});
