import type { Command } from 'commander';

import { choosesMany, type FilterFlags } from '../bulk/filters.js';
import { callsService } from '../command.js';
import { append, positiveInteger, stepOrFailed, wholeNumber } from '../options.js';
import type { JsonFlags } from '../service/find-service.js';
import { addFilterOptions, addSortOption } from './filter-options.js';
import { metadataForms, readMetadata } from './metadata-options.js';
import type { MetadataFlags } from './edit.js';
import type { SourceFlags } from './source.js';
import type { AddFlags } from './add/command.js';
import type { GetFlags } from './get/command.js';
import type { ListFlags } from './list.js';
import type { ReprocessFlags } from './reprocess.js';

type Many = JsonFlags & FilterFlags;

/** Adds the commands for resources to `kw`. Each loads its dependencies when it is called. */
export function addResourceCommands(program: Command): void {
  addAdd(program);
  addReading(program);
  addSource(program);
  addProcessing(program);
  addEditing(program);
}

function addAdd(program: Command): void {
  const command = program
    .command('add <file-or-url...>')
    .description('Register files and URLs. "-" is standard input; it needs --name.')
    .requiredOption('--type <type>', 'selects the pipeline')
    .option('--name <name>', 'the display name; default: the file name or URL')
    .option('--metadata <key=value>', `metadata of the resources: ${metadataForms}`, readMetadata)
    .option('-r, --recursive', 'also add files in folders, except hidden and empty ones')
    .option('--parallel <number>', 'the number of simultaneous uploads', positiveInteger, 4)
    .option('--wait', 'wait until all are processed; the exit code is 0 when all are COMPLETED');
  callsService(command).action(async (args: string[], flags: AddFlags) => {
    const { add } = await import('./add/command.js');
    await add(args, flags);
  });
}

function addReading(program: Command): void {
  const ls = program
    .command('ls')
    .description('List resources, newest first unless --sort says otherwise.')
    .option('--limit <number>', 'the maximum number of resources', positiveInteger, 50)
    .option('--all', 'list all resources')
    .option('--count', 'print only the number of resources, counted up to 10,000');
  callsService(addSortOption(addFilterOptions(ls))).action(async (flags: ListFlags) => {
    const { list } = await import('./list.js');
    await list(flags);
  });

  const show = program
    .command('show <resource>')
    .description('Show a resource, by its id or name: its steps, what they wait for, its artifacts.');
  callsService(show).action(async (resource: string, flags: JsonFlags) => {
    const { show } = await import('./show.js');
    await show(resource, flags);
  });

  const watch = program
    .command('watch [resource...]')
    .description('Follow resources until they are processed; without names, follow everything until Ctrl-C.');
  callsService(watch).action(async (resources: string[], flags: JsonFlags) => {
    const { watch } = await import('./watch.js');
    await watch(resources, flags);
  });

  const get = program
    .command('get <resource> <artifact-type>')
    .description('Print the content of an artifact, or write it to a file.')
    .option('-o, --output <file>', 'write to this file, completely or not at all')
    .option('--step <index>', 'the artifact of this step; default: the last step that made one', wholeNumber);
  callsService(get).action(async (resource: string, type: string, flags: GetFlags) => {
    const { get } = await import('./get/command.js');
    await get(resource, type, flags);
  });
}

function addSource(program: Command): void {
  const source = program
    .command('source <resource>')
    .description('Print the bytes of a resource as they were uploaded or fetched, or write them to a file.')
    .option('-o, --output <file>', 'write to this file, completely or not at all');
  callsService(source, { json: false }).action(async (resource: string, flags: SourceFlags) => {
    const { source } = await import('./source.js');
    await source(resource, flags);
  });
}

function addProcessing(program: Command): void {
  const reprocess = program
    .command('reprocess [resource...]')
    .description('Process resources again.')
    .option(
      '--from-step <index>',
      'resume at this step of the last run, or at the one that "failed"',
      stepOrFailed,
    )
    .option('--wait', 'wait until all are processed; the exit code is 0 when all are COMPLETED');
  callsService(choosesMany(reprocess)).action(async (resources: string[], flags: ReprocessFlags) => {
    const { reprocess } = await import('./reprocess.js');
    await reprocess(resources, flags);
  });

  const cancel = program.command('cancel [resource...]').description('Stop processing resources.');
  callsService(choosesMany(cancel)).action(async (resources: string[], flags: Many) => {
    const { cancel } = await import('./edit.js');
    await cancel(resources, flags);
  });
}

function addEditing(program: Command): void {
  const rename = program.command('rename <resource> <name>').description('Rename a resource.');
  callsService(rename).action(async (resource: string, name: string, flags: JsonFlags) => {
    const { rename } = await import('./edit.js');
    await rename(resource, name, flags);
  });

  for (const [name, isEnabled, description] of [
    ['enable', true, 'Enable resources, so that search and language models see them.'],
    ['disable', false, 'Disable resources, so that search and language models do not see them.'],
  ] as const) {
    const command = program.command(`${name} [resource...]`).description(description);
    callsService(choosesMany(command)).action(async (resources: string[], flags: Many) => {
      const { setEnabled } = await import('./edit.js');
      await setEnabled(resources, isEnabled, flags);
    });
  }

  const note = program
    .command('set-metadata [resource...]')
    .description('Change the metadata of resources.')
    .option('--set <key=value>', `${metadataForms}; null removes the KEY; may be repeated`, readMetadata)
    .option('--unset <key>', 'remove this key; may be repeated', append);
  callsService(choosesMany(note)).action(async (resources: string[], flags: Many & MetadataFlags) => {
    const { setMetadata } = await import('./edit.js');
    await setMetadata(resources, flags);
  });

  const rm = program.command('rm [resource...]').description('Delete resources and their artifacts.');
  callsService(choosesMany(rm)).action(async (resources: string[], flags: Many) => {
    const { remove } = await import('./edit.js');
    await remove(resources, flags);
  });
}
