import type { Command } from 'commander';

/** Adds `kw login` and `kw logout`. */
export function addSessionCommands(program: Command): void {
  program
    .command('login [url]')
    .description(
      'Keep the API key of a service for this user. The key is asked for, or read from standard input: never an argument, which others see.',
    )
    .action(async (url: string | undefined) => {
      const { login } = await import('./login.js');
      await login(url);
    });
  program
    .command('logout [url]')
    .description('Forget the API key of a service; of the current one when none is named.')
    .action(async (url: string | undefined) => {
      const { logout } = await import('./login.js');
      await logout(url);
    });
}
