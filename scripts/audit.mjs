// Checks the production dependencies against the registry's advisories. Ends with exit code 1 if one is high or
// critical. Passes with a message if the registry provides no audit, as mirrors do not, or if there is no network.
import { spawnSync } from 'node:child_process';

const words = [
  'audit',
  '--omit=dev',
  '--audit-level=high',
  '--json',
  '--fetch-retries=1',
  '--fetch-timeout=60000',
];
const npm = spawnSync('npm', words, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
if (npm.error) throw npm.error;

const report = parse(npm.stdout);
if (report?.vulnerabilities !== undefined) process.exitCode = judge(Object.values(report.vulnerabilities));
// npm's output has a message if the registry was asked, and a summary if npm failed before that.
else if (report?.message) console.log(`No audit: the registry does not provide one: ${report.message}`);
else {
  console.error(`npm audit failed: ${report?.error?.summary ?? `${npm.stdout}${npm.stderr}`}`);
  process.exitCode = 1;
}

/** Prints serious advisories and returns the exit code. */
function judge(vulnerabilities) {
  const serious = vulnerabilities.filter(({ severity }) => ['high', 'critical'].includes(severity));
  for (const { name, severity, via } of serious) {
    // A package's own advisory is an object; a vulnerable dependency is given by its name, a string.
    const reasons = via.map((each) =>
      typeof each === 'string' ? `by ${each}` : `${each.title} (${each.url})`,
    );
    console.error(`${severity}: ${name}: ${reasons.join('; ')}`);
  }
  const rest = vulnerabilities.length - serious.length;
  console.log(`${serious.length} packages have high or critical advisories, ${rest} have less severe ones.`);
  return serious.length === 0 ? 0 : 1;
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
