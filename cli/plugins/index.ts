import { Option, type Command } from 'commander';

import { loaded } from '../command.js';
import { append, positiveNumber } from '../options.js';
import { addPluginManagement } from './manage/index.js';

/** Adds the commands for a service's plugins and for plugin authors to `kw`. */
export function addPluginCommands(program: Command): void {
  const plugins = program.command('plugins').description('Show and change plugins; write and test your own.');
  addPluginManagement(plugins);
  addCheck(plugins);
  addNew(plugins);
}

function addCheck(plugins: Command): void {
  plugins
    .command('check [endpoint]')
    .description(
      'Test a worker in any language against every rule of the protocol: an HTTP worker at its endpoint, or an activity worker with --activity. The command takes the role of Core, so the service does not have to run.',
    )
    .addOption(
      new Option('--secret <whsec>', 'the signing secret that the worker was started with').env(
        'KW_SIGNING_SECRET',
      ),
    )
    .option('--activity', 'test an activity worker', false)
    .option('--start <command>', 'starts an activity worker, with the settings it needs in its environment')
    .addOption(
      new Option(
        '--temporal <host:port>',
        'the Temporal server that an activity worker uses; default: the command starts one',
      ).env('TEMPORAL_ADDRESS'),
    )
    .addOption(
      new Option('--namespace <name>', 'the namespace on that server')
        .env('TEMPORAL_NAMESPACE')
        .default('default'),
    )
    .option('--task-queue <name>', 'of an activity worker that does not register itself')
    .option('--activity-type <name>', 'of an activity worker that does not register itself')
    .option('--config <file>', "the plugin's config, as JSON")
    .option('--source <file>', "the resource's bytes; default: a short text")
    .option('--media-type <type>', 'the media type of the source; default: derived from its name')
    .option(
      '--input <type=file>',
      'an artifact of an earlier step; may be repeated. .json is JSON, .vector.json a vector, other files are text',
      append,
    )
    .option('--failing-source <file>', 'a source that must end in FAILURE')
    .option('--failing-config <file>', 'a config that must end in FAILURE, as JSON')
    .option('--plugin-id <id>', 'the id of the plugin', 'checked-plugin')
    .option(
      '--heartbeat-seconds <seconds>',
      'the heartbeat_seconds that the plugin registers',
      positiveNumber(86_400),
    )
    .option(
      '--timeout <seconds>',
      'the time limit for each response and each outcome',
      positiveNumber(86_400),
      30,
    )
    .option(
      '--listen <host:port>',
      'the address at which the command receives requests from the worker',
      '127.0.0.1:0',
    )
    .option('--public-url <url>', 'the URL of that address for a worker that runs elsewhere')
    .option('--json', 'as JSON', false)
    .action(loaded(async () => (await import('./check/command.js')).check));
}

function addNew(plugins: Command): void {
  plugins
    .command('new <name>')
    .description('Create a working plugin in a new folder, as a starting point.')
    .addOption(
      new Option('--language <language>', 'the language of the plugin')
        .choices(['typescript', 'python'])
        .default('typescript'),
    )
    .addOption(
      new Option(
        '--kind <kind>',
        'a worker on a Temporal task queue, or an HTTP worker; default: activity, with --language python: http',
      ).choices(['activity', 'http']),
    )
    .option('--dir <path>', 'the folder; default: ./<name>')
    .action(loaded(async () => (await import('./new/command.js')).writeNew));
}
