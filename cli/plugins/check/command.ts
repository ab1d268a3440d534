import { checkWorker, WorkerAway, type RuleResult } from '@knowledge-warehouse/plugin/conformance';
import type { CheckFlags } from '../flags.js';
import { telling, UserError } from '../user-error.js';
import { toLines } from './print.js';
import { readFlags } from './read-flags.js';

/** `kw plugins check`: prints how a worker stands to each rule; the exit code is 0 when none is broken. */
export async function check(endpoint: string, flags: CheckFlags): Promise<void> {
  await telling(async () => {
    const results = await run(endpoint, flags);
    const lines = flags.json
      ? [JSON.stringify({ endpoint, passed: results.every(isKept), rules: results }, null, 2)]
      : toLines(results, { color: process.stdout.isTTY && process.stdout.hasColors() });
    process.stdout.write(`${lines.join('\n')}\n`);
    process.exitCode = results.every(isKept) ? 0 : 1;
  });
}

const isKept = ({ status }: RuleResult): boolean => status !== 'failed';

async function run(endpoint: string, flags: CheckFlags): Promise<readonly RuleResult[]> {
  const { stderr } = process;
  const show = (text: string): void => {
    if (stderr.isTTY) stderr.write(`\r\x1b[2K${text}`);
  };
  try {
    return await checkWorker({
      ...readFlags(endpoint, flags),
      onRule: (name) => show(`  … ${name}`),
    });
  } catch (error) {
    if (error instanceof WorkerAway)
      throw new UserError(`Nothing answers at ${endpoint} (${error.message}): start the worker first.`);
    if ((error as NodeJS.ErrnoException).syscall === 'listen')
      throw new UserError(`${flags.listen} cannot be listened on (${(error as Error).message}).`);
    throw error;
  } finally {
    show('');
  }
}
