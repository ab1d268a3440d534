import type { Command } from 'commander';

import { callsService } from '../command.js';
import { idArgument } from '../ids.js';
import { readInstant } from '../instants.js';
import { positiveInteger } from '../options.js';
import type { JsonFlags } from '../service/find-service.js';
import type { FailuresFlags } from './failures.js';

/** Adds the commands for bulk operations and failures. Each loads its dependencies when it is called. */
export function addBulkCommands(program: Command): void {
  const failures = program
    .command('failures')
    .description('Group current failures by cause.')
    .option('--type <type>', 'resources of this type')
    .option('--since <instant>', 'resources that failed at this time or later', readInstant);
  callsService(failures).action(async (flags: FailuresFlags) => {
    const { failures } = await import('./failures.js');
    await failures(flags);
  });

  const operations = program.command('operations').description('List, follow and cancel bulk operations.');
  const ls = operations
    .command('ls')
    .description('List operations, newest first.')
    .option('--limit <number>', 'the maximum number of operations', positiveInteger, 50);
  callsService(ls).action(async (flags: JsonFlags & { readonly limit: number }) => {
    const { listOperations } = await import('./operations.js');
    await listOperations(flags);
  });
  const show = operations
    .command('show')
    .addArgument(idArgument('<operation>'))
    .description('Show the progress of an operation.')
    .option('--wait', 'wait until it ends');
  callsService(show).action(async (id: string, flags: JsonFlags & { readonly wait?: boolean }) => {
    const { showOperation } = await import('./operations.js');
    await showOperation(id, flags);
  });
  const cancel = operations
    .command('cancel')
    .addArgument(idArgument('<operation>'))
    .description('Stop an operation; completed changes stay.');
  callsService(cancel).action(async (id: string, flags: JsonFlags) => {
    const { cancelOperation } = await import('./operations.js');
    await cancelOperation(id, flags);
  });
}
