import type { Command } from 'commander';

/** Adds `kw login` and `kw logout`. */
export function addSessionCommands(program: Command): void {
  program
    .command('login [url]')
    .description(
      'Store the API key of a service for this user. The command asks for the key, or reads it from standard input. A key is never an argument, because other users can see arguments.',
    )
    .action(async (url: string | undefined) => {
      const { login } = await import('./login.js');
      await login(url);
    });
  program
    .command('logout [url]')
    .description('Remove the stored API key of a service; without a URL, of the current service.')
    .action(async (url: string | undefined) => {
      const { logout } = await import('./login.js');
      await logout(url);
    });
}
