// Builds the packages, which other types depend on, then runs the checks of format, lint, types and import rules in
// parallel and prints their output. Ends with exit code 1 if one fails.
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

import { buildPackages } from './build-packages.mjs';

const checks = ['check:lint', 'check:types', 'check:format', 'check:imports'];

async function run(check) {
  const began = Date.now();
  const child = spawn('npm', ['run', '--silent', check], { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const output = await Promise.all([text(child.stdout), text(child.stderr)]);
  const code = await ended;
  process.stdout.write(output.join(''));
  console.log(
    `${check}: ${code === 0 ? 'passed' : 'failed'} (${((Date.now() - began) / 1000).toFixed(0)} s)`,
  );
  return code === 0;
}

buildPackages();
const passed = await Promise.all(checks.map(run));
process.exitCode = passed.every(Boolean) ? 0 : 1;
