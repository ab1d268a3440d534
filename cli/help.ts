import type { Command } from 'commander';

/** Adds `kw help`, which unlike Commander's own accepts commands of several words. */
export function addHelp(program: Command): void {
  program
    .helpCommand(false)
    .command('help [command...]')
    .description('Show the help of a command.')
    .action((words: readonly string[]) => {
      let command = program;
      for (const word of words) {
        const next = command.commands.find((one) => one.name() === word);
        command = next ?? command.help({ error: true });
      }
      command.help();
    });
}
