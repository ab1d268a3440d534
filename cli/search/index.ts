import { Option, type Command } from 'commander';

import { addServiceOptions, loaded } from '../command.js';
import { UsageError } from '../exit.js';
import { positiveIntegerTo } from '../options.js';
import { repeatable } from '../resources/filter-options.js';
import { searchModes } from './search.js';

/** The highest limits that the API accepts. */
const most = 50;

const mode = (description: string): Option => new Option('--mode <mode>', description).choices(searchModes);
const ofType = (): Option =>
  repeatable(new Option('--type <type>', 'only in resources of this type; may be repeated'));

/** Adds the search commands. */
export function addSearchCommands(program: Command): void {
  const search = program
    .command('search')
    .argument('[words...]', 'words, "phrases" (quote them for the shell, too) and -exclusions')
    .description('Search the contents of resources.')
    .addOption(ofType())
    .addOption(mode('text (words), vector (by meaning) or hybrid (both)'))
    .option('--limit <number>', `the maximum number of hits, 1 to ${most}`, positiveIntegerTo(most), 10)
    .option(
      '--per-resource <number>',
      `the maximum number of hits from one resource, 1 to ${most}`,
      positiveIntegerTo(most),
      3,
    )
    // "-word" excludes a word.
    .allowUnknownOption()
    // Commander also takes the first word after "--" for a subcommand.
    .hook('preSubcommand', (_search, subcommand) => {
      const name = subcommand.name();
      if (process.argv.slice(0, process.argv.lastIndexOf(name)).includes('--'))
        throw new UsageError(`To search for "${name}", quote it: kw search '"${name}"'`);
    });
  addServiceOptions(search).action(loaded(async () => (await import('./search.js')).search));

  const status = search.command('status').description('Show the state of the search index.');
  addServiceOptions(status).action(loaded(async () => (await import('./status.js')).status));

  const rebuild = search
    .command('rebuild')
    .description('Rebuild the search index while searches continue. Needs an admin key.')
    .option('--no-wait', 'do not wait until it is done');
  addServiceOptions(rebuild).action(loaded(async () => (await import('./rebuild.js')).rebuild));

  const evaluate = program
    .command('eval <file>')
    .description(
      'Measure the search with questions and the resources that answer them: JSON Lines with "question" and "resources", or CSV with those columns.',
    )
    .addOption(ofType())
    .addOption(mode('only this mode; default: all modes'));
  addServiceOptions(evaluate).action(loaded(async () => (await import('./eval.js')).evaluate));
}
