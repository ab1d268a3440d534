import { InvalidArgumentError, Option, type Command } from 'commander';

import type { CheckFlags, NewFlags } from './flags.js';
import { addPluginManagement } from './manage/index.js';

/**
 * Adds the commands for a service's plugins and for plugin authors to `kw`. Each loads its dependencies when
 * it is called.
 */
export function addPluginCommands(program: Command): void {
  const plugins = program
    .command('plugins')
    .description('See and change plugins; write plugins and try them.');
  addPluginManagement(plugins);
  addCheck(plugins);
  addNew(plugins);
}

function addCheck(plugins: Command): void {
  plugins
    .command('check [endpoint]')
    .description(
      'Try a worker, in whatever language, against every rule of the protocol: an HTTP worker at its endpoint, or an activity worker with --activity. Plays Core itself: none need run.',
    )
    .addOption(
      new Option('--secret <whsec>', 'the signing secret that the worker was started with').env(
        'KW_SIGNING_SECRET',
      ),
    )
    .option('--activity', 'try an activity worker', false)
    .option('--start <command>', 'of an activity worker: starts it, with what it needs in its environment')
    .addOption(
      new Option(
        '--temporal <host:port>',
        'the Temporal that an activity worker uses; one is started when left out',
      ).env('TEMPORAL_ADDRESS'),
    )
    .addOption(
      new Option('--namespace <name>', 'of that Temporal').env('TEMPORAL_NAMESPACE').default('default'),
    )
    .option('--task-queue <name>', 'of an activity worker that does not register itself')
    .option('--activity-type <name>', 'of an activity worker that does not register itself')
    .option('--config <file>', "the plugin's config, as JSON")
    .option('--source <file>', "the resource's bytes; a short text when left out")
    .option('--media-type <type>', 'of the source; told by its name when left out')
    .option(
      '--input <type=file>',
      'an artifact of an earlier step, may be given several times: .json is JSON, .vector.json a vector, else text',
      append,
    )
    .option('--failing-source <file>', 'a source that must end in FAILURE')
    .option('--failing-config <file>', 'a config that must end in FAILURE, as JSON')
    .option('--plugin-id <id>', 'the id of the plugin', 'checked-plugin')
    .option('--heartbeat-seconds <seconds>', 'the longest silence that the plugin allows itself', aboveZero)
    .option('--timeout <seconds>', 'how long each answer and each outcome may take', aboveZero, 30)
    .option('--listen <host:port>', 'where to take what the worker asks and reports', '127.0.0.1:0')
    .option('--public-url <url>', 'how the worker reaches that, when it runs elsewhere')
    .option('--json', 'as JSON', false)
    .action(async (endpoint: string | undefined, options: CheckFlags) => {
      const { check } = await import('./check/command.js');
      await check(endpoint, options);
    });
}

function addNew(plugins: Command): void {
  plugins
    .command('new <name>')
    .description('Write a plugin that works, to start from, into a folder of its own.')
    .addOption(
      new Option('--language <language>', 'what to write it in')
        .choices(['typescript', 'python'])
        .default('typescript'),
    )
    .addOption(
      new Option('--kind <kind>', 'a worker on a Temporal task queue, or one that steps are posted to')
        .choices(['activity', 'http'])
        .default('activity'),
    )
    .option('--dir <path>', 'the folder; ./<name> when left out')
    .action(async (name: string, options: NewFlags) => {
      const { writeNew } = await import('./new/command.js');
      await writeNew(name, options);
    });
}

const append = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];

function aboveZero(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= 86_400)) throw new InvalidArgumentError('It must be a number above 0.');
  return value;
}
