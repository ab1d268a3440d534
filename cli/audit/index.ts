import type { Command } from 'commander';
import { addServiceOptions, loaded } from '../command.js';
import { positiveInteger, readInstant } from '../options.js';

/** Adds `kw audit`. */
export function addAudit(program: Command): void {
  const audit = program
    .command('audit')
    .description('List who changed what, newest first. Needs a key with the scope admin.')
    .option('--key <id>', 'changes made with this key')
    .option('--action <name>', 'changes by this operation, such as deleteResource')
    .option('--object <id>', 'changes to the object with this id')
    .option('--since <time>', 'changes at this time or later, such as 2025-11-20T09:30:00Z', readInstant)
    .option('--limit <number>', 'the maximum number of entries', positiveInteger, 50);
  addServiceOptions(audit).action(loaded(async () => (await import('./list.js')).listAudit));
}
