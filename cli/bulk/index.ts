import type { Command } from 'commander';

import { addServiceOptions, loaded } from '../command.js';
import { idArgument, positiveInteger, readInstant } from '../options.js';

/** Adds the commands for bulk operations and failures. */
export function addBulkCommands(program: Command): void {
  const failures = program
    .command('failures')
    .description('Group current failures by cause.')
    .option('--type <type>', 'resources of this type')
    .option('--since <time>', 'resources that failed at this time or later', readInstant);
  addServiceOptions(failures).action(loaded(async () => (await import('./failures.js')).failures));

  const operations = program.command('operations').description('List, follow and cancel bulk operations.');
  const ls = operations
    .command('ls')
    .description('List operations, newest first.')
    .option('--limit <number>', 'the maximum number of operations', positiveInteger, 50);
  addServiceOptions(ls).action(loaded(async () => (await import('./operations.js')).listOperations));
  const show = operations
    .command('show')
    .addArgument(idArgument('<operation>'))
    .description('Show the progress of an operation.')
    .option('--wait', 'wait until it ends');
  addServiceOptions(show).action(loaded(async () => (await import('./operations.js')).showOperation));
  const cancel = operations
    .command('cancel')
    .addArgument(idArgument('<operation>'))
    .description('Stop an operation; completed changes stay.');
  addServiceOptions(cancel).action(loaded(async () => (await import('./operations.js')).cancelOperation));
}
