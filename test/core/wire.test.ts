import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { uuidv7 } from '../../core/ids.js';
import { seal, unseal } from '../../core/secrets/sealing.js';
import { jsonHash } from '../../core/json/canonical-json.js';
import { newSigningSecret, signMessage, verifyMessage } from '@knowledge-warehouse/plugin/signing';
import type { AttemptRef } from '../../core/runs/refs.js';
import { makeToken, readToken } from '../../core/secrets/token.js';

const ref: AttemptRef = { resourceId: uuidv7(), run: 2, stepIndex: 1, attempt: 3 };
const [older, newer] = ['the-older-secret-of-two', 'the-newer-secret-of-two'];

describe('callback tokens', () => {
  it('identify the attempt they were created for, even after the secret was changed', () => {
    const token = makeToken([older], ref, Date.now() + 1000);
    assert.deepEqual(readToken([newer, older], token), ref);
    assert.equal(readToken([newer], token), null);
  });

  it('expire', () => {
    const token = makeToken([older], ref, 5_000);
    assert.deepEqual(readToken([older], token, 4_999), ref);
    assert.equal(readToken([older], token, 5_000), null);
  });

  it('are valid only if unchanged', () => {
    const token = makeToken([older], ref, Date.now() + 60_000);
    fc.assert(
      fc.property(fc.nat(token.length - 1), fc.constantFrom('A', 'a', '0', '_', '.', '-'), (at, letter) => {
        const changed = token.slice(0, at) + letter + token.slice(at + 1);
        if (changed === token) return;
        assert.equal(readToken([older], changed), null);
      }),
    );
    for (const junk of ['', 'kwt_', 'kwt_.', 'kwt_a.b.c', 'kw_x', token.slice(4), `${token}=`, `${token}!`])
      assert.equal(readToken([older], junk), null);
  });
});

describe('signed messages', () => {
  it('are signed as Standard Webhooks specifies', () => {
    const secret = newSigningSecret();
    const headers = signMessage([secret], '{"a":1}', 'msg_1', 1_700_000_000_500);
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const expected = createHmac('sha256', key).update('msg_1.1700000000.{"a":1}').digest('base64');
    assert.deepEqual(headers, {
      'webhook-id': 'msg_1',
      'webhook-timestamp': '1700000000',
      'webhook-signature': `v1,${expected}`,
    });
  });

  it('are accepted with either of two secrets, and rejected if changed or old', () => {
    const [one, two] = [newSigningSecret(), newSigningSecret()];
    const headers = signMessage([one, two], 'body');
    assert.ok(verifyMessage(one, headers, 'body') && verifyMessage(two, headers, 'body'));
    assert.ok(!verifyMessage(one, headers, 'body '));
    assert.ok(!verifyMessage(newSigningSecret(), headers, 'body'));
    assert.ok(!verifyMessage(one, headers, 'body', Date.now() + 301_000));
    assert.ok(!verifyMessage(one, {}, 'body'));
  });
});

describe('sealed values', () => {
  it('open with the secret they were sealed with, among others', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        assert.equal(unseal([newer, older], seal([older], text)), text.toWellFormed());
      }),
    );
    assert.throws(() => unseal([newer], seal([older], 'x')), /KW_SECRET/);
  });
});

describe('the hash of JSON', () => {
  it('depends only on the value, not on the order of keys', () => {
    assert.equal(jsonHash({ a: 1, b: [1, { c: null }] }), jsonHash({ b: [1, { c: null }], a: 1.0 }));
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        const equal = fc.stringify(sorted(one)) === fc.stringify(sorted(other));
        assert.equal(
          jsonHash(JSON.parse(JSON.stringify(one))) === jsonHash(JSON.parse(JSON.stringify(other))),
          equal,
        );
      }),
    );
  });
});

function sorted(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_key, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}
