import type { Command } from 'commander';
import { loaded } from '../command.js';

/** Adds `kw login` and `kw logout`. */
export function addSessionCommands(program: Command): void {
  program
    .command('login [url]')
    .description(
      'Store the API key of a service for this user. The command asks for the key, or reads it from standard input. A key is never an argument, because other users can see arguments.',
    )
    .action(loaded(async () => (await import('./login.js')).login));
  program
    .command('logout [url]')
    .description('Remove the stored API key of a service; without a URL, of the current service.')
    .action(loaded(async () => (await import('./login.js')).logout));
}
