// Checks commit messages against the rule in CONTRIBUTING.md, "Commits":
//
//     node scripts/check-commits.mjs FROM..TO         checks these commits except merges
//     node scripts/check-commits.mjs --message FILE   checks the message in this file, like git's commit-msg hook
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const longestSubject = 72;

/** First words of a subject that describes instead of giving an instruction. */
const describing =
  /^(an?|the|this|that|these|those|it|its|we|our|i|you|they|he|she|nobody|everybody|what|who|when|where|why|how|there|all|each|every|no|new|some|more|one|two)$/i;
/** Verbs in another form ("Adds", "Added", "Adding"), and words that only look like that. */
const inflected = /(?:[^s]s|[^e]ed|ing)$/i;
const bareVerbs = /^(alias|bias|canvas|embed|shed|wed|bring|ring|sing|string|swing|ping|king|focus)$/i;

/** Returns the errors of a message, one line each. */
function problems(message) {
  const [subject = '', second = '', ...rest] = message.split('\n');
  if (/^(fixup|squash|amend)! /.test(subject)) return ['it must be squashed'];
  if (/^Revert "/.test(subject)) return [];
  const length = [...subject].length;
  const [first = ''] = subject.split(/[\s,:]/);
  return [
    subject.trim() === '' && 'it has no subject',
    length > longestSubject && `its subject has ${length} characters; ${longestSubject} are allowed`,
    /\.$/.test(subject) && 'its subject ends with a full stop',
    /^[a-z]+(\([^)]*\))?!?: /.test(subject) && 'its subject has a prefix',
    (describing.test(first) || (inflected.test(first) && !bareVerbs.test(first))) &&
      `its subject begins with "${first}"; begin with a verb in the imperative ("Add", "Fix")`,
    second.trim() !== '' && 'its second line is not empty',
    rest.join('').trim() === '' && 'it has no body; say why the change is made',
  ].filter(Boolean);
}

/** Prints the errors of a message, and returns whether there are any. */
function report(name, message) {
  const found = problems(message);
  for (const problem of found) console.error(`${name}: ${problem}.`);
  return found.length > 0;
}

const [range, file] = process.argv.slice(2);
if (range === '--message') {
  // Git adds comment lines that do not become part of the message.
  const [message] = readFileSync(file, 'utf8').split(/^# -+ >8 -+$/m);
  const lines = message.split('\n').filter((line) => !line.startsWith('#'));
  if (report('This message', lines.join('\n').trimStart())) {
    console.error('CONTRIBUTING.md has the rule, under "Commits".');
    process.exitCode = 1;
  }
} else {
  const log = execFileSync('git', ['log', '--no-merges', '--format=%h%x00%B%x01', range], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const commits = log
    .split('\x01')
    .map((entry) => entry.trimStart().split('\0'))
    .filter(([, message]) => message !== undefined);
  const wrong = commits.filter(([hash, message]) => report(hash, message));
  console.log(`${wrong.length} of ${commits.length} commits do not follow the rule in CONTRIBUTING.md.`);
  if (wrong.length > 0) process.exitCode = 1;
}
