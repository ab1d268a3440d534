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

/** What the check of a range says of commits with these messages, by message. */
function problemsOfCommits(messages: readonly string[]): Record<string, string> {
  const options = {
    cwd: temporaryFolder(),
    env: { PATH: process.env['PATH'] },
    encoding: 'utf8',
  } as const;
  const git = (args: readonly string[], input = ''): string => {
    const { stdout, stderr, status } = spawnSync('git', args, { ...options, input });
    assert.equal(status, 0, stderr);
    return stdout;
  };
  const commits = ['Begin', ...messages].map(
    (message, at) =>
      `commit refs/heads/main\ncommitter A <a@example.com> ${at} +0000\ndata ${Buffer.byteLength(message)}\n${message}\n`,
  );
  git(['init', '--quiet']);
  git(['fast-import', '--quiet'], commits.join(''));
  const range = `main~${messages.length}..main`;
  const hashes = git(['log', '--reverse', '--format=%h', range]).trim().split('\n');
  const { stderr, stdout, status } = spawnSync(process.execPath, [script, range], options);
  const said = hashes.map((hash) => stderr.split('\n').filter((line) => line.startsWith(`${hash}: `)));
  const wrong = said.filter((lines) => lines.length > 0);
  assert.match(stdout, new RegExp(`^${wrong.length} of ${messages.length} commits do not follow the rule`));
  assert.equal(status, wrong.length === 0 ? 0 : 1);
  return Object.fromEntries(messages.map((message, at) => [message, said[at]!.join('\n')]));
}

const subject = 'Bound the depth of HTML lists';
const body = 'A list of 200,000 items blocked all extraction.';

describe('the rule for commit messages', () => {
  it('accepts a subject in the imperative with a body', () => {
    assert.equal(problems(`${subject}\n\n${body}\n# Please enter the commit message\n`), '');
    const accepted = [
      ...[subject, 'Process files side by side', 'Embed the query'].map((first) => `${first}\n\n${body}\n`),
      `Revert "${subject}"\n\nThis reverts commit 1234.\n`,
    ];
    const said = problemsOfCommits(accepted);
    assert.deepEqual(said, Object.fromEntries(accepted.map((message) => [message, ''])));
  });

  it('explains what is wrong with any other', () => {
    assert.match(problems(`${subject}\n\n# Only a comment`), /no body/);
    const wrong: readonly (readonly [string, RegExp])[] = [
      [`${'Bound '.repeat(12)}x\n\n${body}`, /its subject has 73 characters; 72 are allowed/],
      [subject, /no body/],
      [`Bound the depth\nof HTML lists\n\n${body}`, /second line is not empty/],
      [`${subject}.\n\n${body}`, /full stop/],
      [`fix(extract): bound lists\n\n${body}`, /prefix/],
      [`fixup! Bound lists\n\n${body}`, /squashed/],
      ...['The depth', 'It bounds', 'Bounds', 'Bounded', 'Bounding'].map(
        (first) => [`${first} HTML lists\n\n${body}`, /verb in the imperative/] as const,
      ),
    ];
    const said = problemsOfCommits(wrong.map(([message]) => message));
    for (const [message, problem] of wrong) assert.match(said[message]!, problem, message);
  });
});
