import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { temporaryFolder } from './support/temporary.js';

const script = fileURLToPath(new URL('../scripts/check-commits.mjs', import.meta.url));

/** What the hook says of a message; an empty text when it lets it through. */
function problems(message: string): string {
  const file = join(temporaryFolder(), 'message');
  writeFileSync(file, message);
  const { stderr, status } = spawnSync(process.execPath, [script, '--message', file], { encoding: 'utf8' });
  assert.equal(status, stderr === '' ? 0 : 1, stderr);
  return stderr;
}

const body = 'A list of 200,000 items blocked all extraction.';

describe('the rule for commit messages', () => {
  it('accepts a subject in the imperative with a body', () => {
    for (const subject of ['Bound the depth of HTML lists', 'Process files side by side', 'Embed the query'])
      assert.equal(problems(`${subject}\n\n${body}\n# Please enter the commit message\n`), '');
    assert.equal(problems('Revert "Bound the depth of HTML lists"\n\nThis reverts commit 1234.\n'), '');
  });

  it('explains what is wrong with any other', () => {
    const wrong: readonly (readonly [string, RegExp])[] = [
      [`${'Bound '.repeat(12)}x\n\n${body}`, /its subject has 73 characters; 72 are allowed/],
      ['Bound the depth of HTML lists', /no body/],
      ['Bound the depth of HTML lists\n\n# Only a comment', /no body/],
      [`Bound the depth\nof HTML lists\n\n${body}`, /second line is not empty/],
      [`Bound the depth of HTML lists.\n\n${body}`, /full stop/],
      [`fix(extract): bound lists\n\n${body}`, /prefix/],
      [`fixup! Bound lists\n\n${body}`, /squashed/],
      ...['The depth', 'It bounds', 'Bounds', 'Bounded', 'Bounding'].map(
        (first) => [`${first} HTML lists\n\n${body}`, /verb in the imperative/] as const,
      ),
    ];
    for (const [message, problem] of wrong) assert.match(problems(message), problem, message);
  });
});
