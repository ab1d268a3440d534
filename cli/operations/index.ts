import type { Command } from 'commander';

import { readEnvironment } from '../../runtime/settings/config.js';
import { positiveNumber, wholeNumber } from '../options.js';
import { readOperatorEnvironment } from './operator-environment.js';

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/**
 * Adds the commands that run and operate the service to `kw`. Each loads its dependencies when it is called:
 * client commands start without the server's libraries.
 */
export function addOperations(program: Command): void {
  program
    .command('start')
    .description('Run everything on this machine: database, Temporal, API and worker.')
    .action(async () => {
      const { start } = await import('./start.js');
      await start(readOperatorEnvironment());
      // Nothing may keep the process alive once everything has stopped.
      process.exit(0);
    });
  for (const [command, service, description] of [
    ['serve', 'api', 'Run only the API.'],
    ['worker', 'worker', 'Run only the Temporal worker.'],
  ] as const)
    program
      .command(command)
      .description(description)
      .action(async () => {
        const { runService } = await import('./run-service.js');
        process.exitCode = await runService(service, readEnvironment());
      });
  program
    .command('migrate')
    .description("Bring the database's schema up to date and register Temporal's search attributes.")
    .action(async () => {
      const { migrate } = await import('./migrate.js');
      await migrate(readOperatorEnvironment(), print);
    });
  program
    .command('verify')
    .description('Read every stored object and list the missing and damaged ones.')
    .action(async () => {
      const { verify } = await import('./verify.js');
      await verify(readOperatorEnvironment(), print, () => (process.exitCode = 1));
    });
  program
    .command('doctor')
    .description(
      'Check settings, connections, permissions, versions, clocks, the search index and disk space, and say what to change.',
    )
    .option('--json', 'as JSON', false)
    .action(async (options: { json: boolean }) => {
      const { doctor } = await import('./doctor/index.js');
      const canWork = await doctor(readEnvironment(), options, print);
      // A search index that does not respond would keep the process alive.
      process.stdout.write('', () => process.exit(canWork ? 0 : 1));
    });
  addKeys(program.command('keys').description('Create, list and revoke API keys, and log browsers in.'));
}

function addKeys(keys: Command): void {
  keys
    .command('create')
    .description('Create a key and print it; it is shown only once.')
    .requiredOption('--name <name>', 'what the key is for')
    .requiredOption('--scope <scope...>', 'read, write, admin or plugin:ID; may be repeated')
    .option(
      '--expires-in-days <days>',
      'the number of days after which the key expires',
      positiveNumber(36_500),
    )
    .option('--rate-limit <requests>', 'requests per minute; 0 for no limit', wholeNumber)
    .action(
      async (options: { name: string; scope: string[]; expiresInDays?: number; rateLimit?: number }) => {
        const { createKey } = await import('./keys.js');
        await createKey(readOperatorEnvironment(), { ...options, scopes: options.scope }, print);
      },
    );
  keys
    .command('list')
    .description('List all keys.')
    .option('--json', 'as JSON', false)
    .action(async (options: { json: boolean }) => {
      const { listKeys } = await import('./keys.js');
      await listKeys(readOperatorEnvironment(), options, print);
    });
  keys
    .command('login-link')
    .description('Print a link that logs a browser in. It works once, within five minutes.')
    .option('--key <id>', 'the key to log in with; default: the admin key in the data directory')
    .action(async (options: { key?: string }) => {
      const { printLoginLink } = await import('./login-link.js');
      await printLoginLink(readOperatorEnvironment(), options, print);
    });
  keys
    .command('revoke <id>')
    .description('Revoke a key. It stops working at once.')
    .action(async (id: string) => {
      const { revokeKey } = await import('./keys.js');
      await revokeKey(readOperatorEnvironment(), id, print);
    });
}
