import type { Command } from 'commander';

import { addServiceOptions, loaded } from '../../command.js';
import { idArgument } from '../../options.js';

/** Adds the commands for the plugins of a service to `kw plugins`. */
export function addPluginManagement(plugins: Command): void {
  const ls = plugins.command('ls').description('List the plugins of a service.');
  addServiceOptions(ls).action(loaded(async () => (await import('./show.js')).list));

  const show = plugins
    .command('show')
    .addArgument(idArgument('<plugin>'))
    .description('Show a plugin: where its steps are sent, whether a worker polls, its config.');
  addServiceOptions(show).action(loaded(async () => (await import('./show.js')).show));

  const register = plugins
    .command('register <file>')
    .description(
      'Create or update a plugin from a YAML or JSON file ("-": standard input). The config and state of an existing plugin do not change.',
    );
  addServiceOptions(register).action(loaded(async () => (await import('./register.js')).register));

  addConfig(plugins.command('config').description("Read and replace a plugin's config."));

  for (const [name, description] of [
    ['enable', 'Enable plugins, so that their steps run.'],
    ['disable', 'Disable plugins, so that their new steps fail with PLUGIN_INACTIVE.'],
  ] as const) {
    const command = plugins.command(name).addArgument(idArgument('<plugin...>')).description(description);
    addServiceOptions(command).action(loaded(async () => (await import('./change.js'))[name]));
  }

  const rm = plugins
    .command('rm')
    .addArgument(idArgument('<plugin...>'))
    .description('Delete plugins that are not in use.')
    .option('-y, --yes', 'do not ask for confirmation');
  addServiceOptions(rm, { json: false }).action(loaded(async () => (await import('./change.js')).remove));
}

function addConfig(config: Command): void {
  const get = config
    .command('get')
    .addArgument(idArgument('<plugin>'))
    .description("Print a plugin's config as JSON.");
  addServiceOptions(get, { json: false }).action(loaded(async () => (await import('./config.js')).getConfig));

  const set = config
    .command('set')
    .addArgument(idArgument('<plugin>'))
    .argument('<file>')
    .description('Replace the whole config of a plugin with a YAML or JSON file ("-": standard input).');
  addServiceOptions(set).action(loaded(async () => (await import('./config.js')).setConfig));
}
