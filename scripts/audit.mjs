// Checks the packages that run in production against the registry's advisories: the production dependencies, and what the
// build bundles ("bundledFrom" in package.json) with its dependencies. Ends with exit code 1 if an advisory is high or
// critical. Passes with a message if the registry provides no audit, as mirrors do not, or if there is no network.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const words = ['audit', '--audit-level=high', '--json', '--fetch-retries=1', '--fetch-timeout=60000'];
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
  const used = usedInProduction();
  const found = vulnerabilities.filter(({ name, nodes }) => used.names.has(name) || nodes.some(used.has));
  const serious = found.filter(({ severity }) => ['high', 'critical'].includes(severity));
  for (const { name, severity, via } of serious) {
    // A package's own advisory is an object; a vulnerable dependency is given by its name, a string.
    const reasons = via.map((each) =>
      typeof each === 'string' ? `by ${each}` : `${each.title} (${each.url})`,
    );
    console.error(`${severity}: ${name}: ${reasons.join('; ')}`);
  }
  const rest = found.length - serious.length;
  console.log(`${serious.length} packages have high or critical advisories, ${rest} have less severe ones.`);
  return serious.length === 0 ? 0 : 1;
}

/** Returns the places of production dependencies, and the names of bundled packages. */
function usedInProduction() {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const names = new Set(JSON.parse(readFileSync('package.json', 'utf8')).bundledFrom);
  // Grows while it is read: dependencies of bundled packages are bundled too.
  for (const name of names)
    for (const [place, { dependencies = {} }] of Object.entries(packages))
      if (place.endsWith(`node_modules/${name}`))
        Object.keys(dependencies).forEach((each) => names.add(each));
  return { names, has: (place) => packages[place]?.dev !== true };
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
