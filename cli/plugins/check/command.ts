import { checkWorker, WorkerAway, type RuleResult } from '@knowledge-warehouse/plugin/conformance';
import { CommandError, UsageError } from '../../exit.js';
import { paintFor } from '../../terminal/paint.js';
import { checkActivity } from './activity-worker.js';
import { toLines } from './print.js';
import { readFlags, type CheckFlags } from './read-flags.js';

/** `kw plugins check`: prints whether a worker follows each rule. The exit code is 0 if it breaks none. */
export async function check(endpoint: string | undefined, flags: CheckFlags): Promise<void> {
  const results = await run(endpoint, flags);
  const passed = results.every(({ status }) => status !== 'failed');
  const worker = endpoint === undefined ? {} : { endpoint };
  const lines = flags.json
    ? [JSON.stringify({ ...worker, passed, rules: results }, null, 2)]
    : toLines(results, paintFor(process.stdout));
  process.stdout.write(`${lines.join('\n')}\n`);
  process.exitCode = passed ? 0 : 1;
}

async function run(endpoint: string | undefined, flags: CheckFlags): Promise<readonly RuleResult[]> {
  const { stderr } = process;
  const show = (text: string): void => {
    if (stderr.isTTY) stderr.write(`\r\x1b[2K${text}`);
  };
  const onRule = (name: string): void => show(`  … ${name}`);
  if ((endpoint === undefined) !== flags.activity)
    throw new UsageError('Give the endpoint of an HTTP worker, or --activity for an activity worker.');
  try {
    return endpoint === undefined
      ? await checkActivity(flags, onRule)
      : await checkWorker({ ...readFlags(endpoint, flags), onRule });
  } catch (error) {
    if (error instanceof WorkerAway)
      throw new CommandError(
        endpoint === undefined
          ? `There is no activity worker to test: ${error.message}. Start it with --start, or while this command runs.`
          : `Nothing answers at ${endpoint} (${error.message}): start the worker first.`,
      );
    if ((error as NodeJS.ErrnoException).syscall === 'listen')
      throw new CommandError(`Cannot listen on ${flags.listen} (${(error as Error).message}).`);
    throw error;
  } finally {
    show('');
  }
}
