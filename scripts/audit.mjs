// Holds what is installed in production against the registry's advisories: ends with exit code 1 when one is high or
// critical. Where the registry answers no audit (mirrors do not, no network does not) it passes and says so.
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
// npm has a message where it asked the registry, and a summary where it did not come to that.
else if (report?.message) console.log(`No audit, the registry does not answer one: ${report.message}`);
else {
  console.error(`npm audit failed: ${report?.error?.summary ?? `${npm.stdout}${npm.stderr}`}`);
  process.exitCode = 1;
}

/** Prints what is serious, and returns the exit code. */
function judge(vulnerabilities) {
  const serious = vulnerabilities.filter(({ severity }) => ['high', 'critical'].includes(severity));
  for (const { name, severity, via } of serious) {
    // An advisory of its own is an object; the name of a package it is vulnerable by is a text.
    const reasons = via.map((each) =>
      typeof each === 'string' ? `by ${each}` : `${each.title} (${each.url})`,
    );
    console.error(`${severity}: ${name}: ${reasons.join('; ')}`);
  }
  const rest = vulnerabilities.length - serious.length;
  console.log(`${serious.length} packages have high or critical advisories, ${rest} have lesser ones.`);
  return serious.length === 0 ? 0 : 1;
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
