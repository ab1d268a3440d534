// The fuzz step: schemathesis makes requests of every kind from the OpenAPI document that a whole service serves, and
// holds every answer against it. Run it by "npm run fuzz"; "-- --seed 5" repeats what a seed made, "-- --short" makes a
// few requests of each operation.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findPython } from '../support/servers/python.js';
import { startStack } from '../support/service/stack.js';
import { temporaryFolder } from '../support/temporary.js';
import { seed as seedService } from './seed.js';
import { settingsOf, type OpenApiPaths } from './settings.js';

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
const timeoutMs = 600_000;

const python = await findPython();
const stack = await startStack({ env: { KW_LOG_LEVEL: 'warn' } });
const seeded = await seedService(stack);
const folder = temporaryFolder();
const [configFile, reportFile] = [join(folder, 'schemathesis.toml'), join(folder, 'report.json')];
const address = `${stack.api}/api/v1/openapi.json`;
const document = (await (await fetch(address)).json()) as OpenApiPaths;
writeFileSync(configFile, settingsOf(stack, seeded, document));

console.log(`schemathesis, seed ${values.seed}`);
const schemathesis = spawn(
  python.program('schemathesis'),
  [
    '--config-file',
    configFile,
    'run',
    address,
    '--checks=all',
    '--mode=all',
    // With two threads, Python 3.11 may fail in ast.parse ("recursion depth mismatch"). They are not faster either.
    '--workers=1',
    `--seed=${values.seed}`,
    `--max-examples=${examples}`,
    '--continue-on-failure',
    '--request-timeout=30',
    `--report-json-path=${reportFile}`,
  ],
  { cwd: folder, stdio: 'inherit', timeout: timeoutMs },
);
const [status] = (await once(schemathesis, 'exit')) as [number | null];
const isAlive = (await fetch(`${stack.api}/health/ready`)).ok;
await stack.stop();
await seeded.stop();
if (status === null) throw new Error(`Schemathesis did not end within ${timeoutMs / 1_000} s.`);
const { generated } = (JSON.parse(readFileSync(reportFile, 'utf8')) as Report).test_cases;
if (generated < casesAtLeast)
  console.error(`There were ${generated} cases; at least ${casesAtLeast} are due.`);
if (!isAlive) console.error('The service is not ready any more.');
process.exit(status === 0 && isAlive && generated >= casesAtLeast ? 0 : 1);
