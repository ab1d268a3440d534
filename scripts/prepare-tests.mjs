// Checks for what the tests need besides npm packages, and fetches it if possible. Ends with exit code 1 and lists
// everything that is missing and how to get it. Needs a build, and tsx.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

import { findTemporal } from '../dist/runtime/embedded/temporal/binary.js';
import { findChromium } from '../test/support/browser/chromium.ts';
import { findGoGenerator } from '../test/support/clients/go-client.ts';
import { findPython } from '../test/support/servers/python.ts';
import { findS3Server } from '../test/support/servers/s3.ts';

const say = (text) => console.log(`Preparing the tests: ${text}`);

/** Skips messages that only update a progress value, to keep the log short. */
function sayOnce() {
  let last = '';
  return (message) => {
    const what = message.replace(/ \(.*\)$/, '');
    if (what !== last) say(`${what} …`);
    last = what;
  };
}

async function temporal() {
  // oxlint-disable-next-line no-restricted-properties -- a standalone script, started by a shell
  await findTemporal(process.env, sayOnce(), new AbortController().signal);
}

async function python() {
  const { status } = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 11))']);
  if (status !== 0) throw new Error('Python 3.11 or later is needed: install it so that "python3" runs it.');
  // In Debian, every Python has the module venv, but its dependencies are in a separate package.
  if (spawnSync('python3', ['-c', 'import ensurepip, venv']).status !== 0) aptInstall('python3-venv');
  await findPython();
  await findPython(new URL('../test/support/servers/requirements-clients.txt', import.meta.url));
}

/** Installs a package as root on Debian and Ubuntu. The caller then checks whether that succeeded. */
function aptInstall(name) {
  if (!existsSync('/usr/bin/apt-get') || process.getuid() !== 0) return;
  say(`installing ${name} with apt-get …`);
  const apt = (...args) =>
    execFileSync('apt-get', ['-qq', ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
  try {
    apt('update');
    apt('install', '--yes', '--no-install-recommends', name);
  } catch {
    // Reported later.
  }
}

function chromium() {
  if (findChromium() === null) aptInstall('chromium-headless-shell');
  if (findChromium() === null) aptInstall('chromium');
  const path = findChromium();
  // Ubuntu's package of this name is a wrapper that requires snap.
  const runs = path !== null && spawnSync(path, ['--version'], { timeout: 20_000 }).status === 0;
  if (!runs) {
    throw new Error(
      'Chromium or Google Chrome is needed: install it so that "chromium" or "google-chrome" runs it (on Debian: apt-get install chromium).',
    );
  }
}

const missing = [];
for (const prepare of [temporal, findS3Server, findGoGenerator, python, chromium]) {
  try {
    await prepare();
  } catch (error) {
    missing.push(error instanceof Error ? error.message : String(error));
  }
}
if (missing.length > 0) {
  console.error(['The tests cannot run yet.', ...missing.map((message) => `- ${message}`)].join('\n'));
  process.exit(1);
}
