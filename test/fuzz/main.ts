// The fuzz step: schemathesis makes requests of every kind from the OpenAPI document that a whole service serves, and
// holds every answer against it. Run it by "npm run fuzz"; "-- --seed 5" repeats what a seed made, "-- --short" makes a
// few requests of each operation.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { findPython } from '../support/python.js';
import { startStack } from '../support/stack.js';
import { temporaryFolder } from '../support/temporary.js';
import { seed as seedService } from './seed.js';
import { settingsOf } from './settings.js';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '20251121' },
    examples: { type: 'string', default: '20' },
    short: { type: 'boolean', default: false },
  },
});
interface Report {
  readonly test_cases: { readonly generated: number };
}

const { examples, casesAtLeast } = values.short
  ? { examples: '2', casesAtLeast: 500 }
  : // Fewer cases than this show nothing.
    { examples: values.examples, casesAtLeast: 2_000 };
const timeoutMs = 240_000;

const python = await findPython();
const stack = await startStack({ env: { KW_LOG_LEVEL: 'warn' } });
const seeded = await seedService(stack);
const folder = temporaryFolder();
const [configFile, reportFile] = [join(folder, 'schemathesis.toml'), join(folder, 'report.json')];
writeFileSync(configFile, settingsOf(stack, seeded));

console.log(`schemathesis, seed ${values.seed}`);
const { status, error } = spawnSync(
  python.program('schemathesis'),
  [
    '--config-file',
    configFile,
    'run',
    `${stack.api}/api/v1/openapi.json`,
    '--checks=all',
    '--mode=all',
    '--workers=2',
    `--seed=${values.seed}`,
    `--max-examples=${examples}`,
    '--continue-on-failure',
    '--request-timeout=30',
    `--report-json-path=${reportFile}`,
  ],
  { cwd: folder, stdio: 'inherit', timeout: timeoutMs },
);
// Nothing was heard meanwhile: not that the connections of before were closed.
await setImmediate();
const isAlive = (await fetch(`${stack.api}/health/ready`)).ok;
await stack.stop();
await seeded.stop();
if (error !== undefined) throw error;
const { generated } = (JSON.parse(readFileSync(reportFile, 'utf8')) as Report).test_cases;
if (generated < casesAtLeast)
  console.error(`There were ${generated} cases; at least ${casesAtLeast} are due.`);
if (!isAlive) console.error('The service is not ready any more.');
process.exit(status === 0 && isAlive && generated >= casesAtLeast ? 0 : 1);
