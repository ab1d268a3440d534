import type { Command } from 'commander';

import { callsService } from '../command.js';
import type { JsonFlags, ServiceFlags } from '../service/find-service.js';
import type { ApplyFlags } from './apply.js';

/** Adds the commands for pipelines to `kw`. Each loads its dependencies when it is called. */
export function addPipelineCommands(program: Command): void {
  const pipelines = program.command('pipelines').description('Define what happens to resources of a type.');

  callsService(pipelines.command('ls').description('List pipelines.')).action(async (flags: JsonFlags) => {
    const { list } = await import('./commands.js');
    await list(flags);
  });

  const show = pipelines
    .command('show <trigger-type>')
    .description('Show the pipeline for a type (or with an id): its steps with their limits.');
  callsService(show).action(async (named: string, flags: JsonFlags) => {
    const { show } = await import('./commands.js');
    await show(named, flags);
  });

  const apply = pipelines
    .command('apply <file...>')
    .description(
      'Create or update pipelines from YAML or JSON files ("-": standard input). The trigger type identifies a pipeline.',
    )
    .option('--dry-run', 'show what would change, and change nothing');
  callsService(apply).action(async (files: string[], flags: ApplyFlags) => {
    const { apply } = await import('./apply.js');
    await apply(files, flags);
  });

  const exporting = pipelines
    .command('export [trigger-type...]')
    .description('Print pipelines in the form that "apply" reads; without names, all of them.');
  callsService(exporting).action(async (named: string[], flags: JsonFlags) => {
    const { exportPipelines } = await import('./commands.js');
    await exportPipelines(named, flags);
  });

  const rm = pipelines
    .command('rm <trigger-type...>')
    .description('Delete pipelines. Active runs continue.')
    .option('-y, --yes', 'do not ask for confirmation');
  callsService(rm, { json: false }).action(
    async (named: string[], flags: ServiceFlags & { readonly yes?: boolean }) => {
      const { remove } = await import('./commands.js');
      await remove(named, flags);
    },
  );
}
