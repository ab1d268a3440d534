import type { Command } from 'commander';

import { addBulkOptions } from '../bulk/filters.js';
import { addServiceOptions, loaded } from '../command.js';
import { append, positiveInteger, stepOrFailed, wholeNumber } from '../options.js';
import { addFilterOptions, addSortOption } from './filter-options.js';
import { metadataForms, readMetadata } from './metadata-options.js';

/** Adds the commands for resources to `kw`. */
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
  addServiceOptions(command).action(loaded(async () => (await import('./add/command.js')).add));
}

function addReading(program: Command): void {
  const ls = program
    .command('ls')
    .description('List resources, newest first unless --sort says otherwise.')
    .option('--limit <number>', 'the maximum number of resources', positiveInteger, 50)
    .option('--all', 'list all resources')
    .option('--count', 'print only the number of resources, counted up to 10,000');
  addServiceOptions(addSortOption(addFilterOptions(ls))).action(
    loaded(async () => (await import('./list.js')).list),
  );

  const show = program
    .command('show <resource>')
    .description('Show a resource, by its id or name: its steps, what they wait for, its artifacts.');
  addServiceOptions(show).action(loaded(async () => (await import('./show.js')).show));

  const watch = program
    .command('watch [resource...]')
    .description('Follow resources until they are processed; without names, follow everything until Ctrl-C.');
  addServiceOptions(watch).action(loaded(async () => (await import('./watch.js')).watch));

  const get = program
    .command('get <resource> <artifact-type>')
    .description('Print the content of an artifact, or write it to a file.')
    .option('-o, --output <file>', 'write to this file, completely or not at all')
    .option('--step <index>', 'the artifact of this step; default: the last step that made one', wholeNumber);
  addServiceOptions(get).action(loaded(async () => (await import('./get/command.js')).get));
}

function addSource(program: Command): void {
  const source = program
    .command('source <resource>')
    .description('Print the bytes of a resource as they were uploaded or fetched, or write them to a file.')
    .option('-o, --output <file>', 'write to this file, completely or not at all');
  addServiceOptions(source, { json: false }).action(loaded(async () => (await import('./source.js')).source));
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
  addServiceOptions(addBulkOptions(reprocess)).action(
    loaded(async () => (await import('./reprocess.js')).reprocess),
  );

  const cancel = program.command('cancel [resource...]').description('Stop processing resources.');
  addServiceOptions(addBulkOptions(cancel)).action(loaded(async () => (await import('./edit.js')).cancel));
}

function addEditing(program: Command): void {
  const rename = program.command('rename <resource> <name>').description('Rename a resource.');
  addServiceOptions(rename).action(loaded(async () => (await import('./edit.js')).rename));

  for (const [name, description] of [
    ['enable', 'Enable resources, so that search and language models see them.'],
    ['disable', 'Disable resources, so that search and language models do not see them.'],
  ] as const) {
    const command = program.command(`${name} [resource...]`).description(description);
    addServiceOptions(addBulkOptions(command)).action(loaded(async () => (await import('./edit.js'))[name]));
  }

  const note = program
    .command('set-metadata [resource...]')
    .description('Change the metadata of resources.')
    .option('--set <key=value>', `${metadataForms}; null removes the KEY; may be repeated`, readMetadata)
    .option('--unset <key>', 'remove this key; may be repeated', append);
  addServiceOptions(addBulkOptions(note)).action(loaded(async () => (await import('./edit.js')).setMetadata));

  const rm = program.command('rm [resource...]').description('Delete resources and their artifacts.');
  addServiceOptions(addBulkOptions(rm)).action(loaded(async () => (await import('./edit.js')).remove));
}
