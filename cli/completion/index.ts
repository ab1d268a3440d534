import { Argument, type Command } from 'commander';

/** Adds `kw completion`, which prints a script for a shell, and `kw complete`, which that script calls. */
export function addCompletion(program: Command): void {
  program
    .command('completion')
    .description('Print a script that completes commands, options and names: eval "$(kw completion bash)".')
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh']))
    .action(async (shell: 'bash' | 'zsh') => {
      const { scripts } = await import('./scripts.js');
      process.stdout.write(scripts[shell]);
    });
  program
    .command('complete <line>', { hidden: true })
    .description('Print the completions of the last word of a command line.')
    .option('--bash <breaks>', 'for bash, with its COMP_WORDBREAKS')
    .action(async (line: string, { bash }: { readonly bash?: string }) => {
      const { complete } = await import('./complete.js');
      const lines = await complete(program, line, bash);
      if (lines.length > 0) process.stdout.write(`${lines.join('\n')}\n`);
    });
}
