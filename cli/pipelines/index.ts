import type { Command } from 'commander';

import { addServiceOptions, loaded } from '../command.js';

/** Adds the commands for pipelines to `kw`. */
export function addPipelineCommands(program: Command): void {
  const pipelines = program.command('pipelines').description('Define what happens to resources of a type.');

  const ls = pipelines.command('ls').description('List pipelines.');
  addServiceOptions(ls).action(loaded(async () => (await import('./commands.js')).list));

  const show = pipelines
    .command('show <trigger-type>')
    .description('Show the pipeline for a type (or with an id): its steps with their limits.');
  addServiceOptions(show).action(loaded(async () => (await import('./commands.js')).show));

  const apply = pipelines
    .command('apply <file...>')
    .description(
      'Create or update pipelines from YAML or JSON files ("-": standard input). The trigger type identifies a pipeline.',
    )
    .option('--dry-run', 'show what would change, and change nothing');
  addServiceOptions(apply).action(loaded(async () => (await import('./apply.js')).apply));

  const exporting = pipelines
    .command('export [trigger-type...]')
    .description('Print pipelines in the form that "apply" reads; without names, all of them.');
  addServiceOptions(exporting).action(loaded(async () => (await import('./commands.js')).exportPipelines));

  const rm = pipelines
    .command('rm <trigger-type...>')
    .description('Delete pipelines. Active runs continue.')
    .option('-y, --yes', 'do not ask for confirmation');
  addServiceOptions(rm, { json: false }).action(loaded(async () => (await import('./commands.js')).remove));
}
