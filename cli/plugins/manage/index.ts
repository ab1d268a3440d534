import type { Command } from 'commander';

import { callsService } from '../../command.js';
import { idArgument } from '../../ids.js';
import type { JsonFlags, ServiceFlags } from '../../service/find-service.js';

/**
 * Adds the commands for the plugins of a service to `kw plugins`. Each loads its dependencies when it is
 * called.
 */
export function addPluginManagement(plugins: Command): void {
  callsService(plugins.command('ls').description('List the plugins of a service.')).action(
    async (flags: JsonFlags) => {
      const { list } = await import('./show.js');
      await list(flags);
    },
  );

  const show = plugins
    .command('show')
    .addArgument(idArgument('<plugin>'))
    .description('Show a plugin: where its steps are sent, whether a worker polls, its config.');
  callsService(show).action(async (id: string, flags: JsonFlags) => {
    const { show } = await import('./show.js');
    await show(id, flags);
  });

  const register = plugins
    .command('register <file>')
    .description(
      'Create or update a plugin from a YAML or JSON file ("-": standard input). The config and state of an existing plugin stay.',
    );
  callsService(register).action(async (file: string, flags: JsonFlags) => {
    const { register } = await import('./register.js');
    await register(file, flags);
  });

  addConfig(plugins.command('config').description("Read and replace a plugin's config."));

  for (const [name, isActive, description] of [
    ['enable', true, 'Enable plugins, so that their steps run.'],
    ['disable', false, 'Disable plugins, so that their new steps fail with PLUGIN_INACTIVE.'],
  ] as const) {
    const command = plugins.command(name).addArgument(idArgument('<plugin...>')).description(description);
    callsService(command).action(async (ids: string[], flags: JsonFlags) => {
      const { setActive } = await import('./change.js');
      await setActive(ids, isActive, flags);
    });
  }

  const rm = plugins
    .command('rm')
    .addArgument(idArgument('<plugin...>'))
    .description('Delete plugins that are not in use.')
    .option('-y, --yes', 'do not ask for confirmation');
  callsService(rm, { json: false }).action(
    async (ids: string[], flags: ServiceFlags & { readonly yes?: boolean }) => {
      const { remove } = await import('./change.js');
      await remove(ids, flags);
    },
  );
}

function addConfig(config: Command): void {
  const get = config
    .command('get')
    .addArgument(idArgument('<plugin>'))
    .description("Print a plugin's config as JSON.");
  callsService(get, { json: false }).action(async (id: string, flags: ServiceFlags) => {
    const { getConfig } = await import('./config.js');
    await getConfig(id, flags);
  });

  const set = config
    .command('set')
    .addArgument(idArgument('<plugin>'))
    .argument('<file>')
    .description('Replace the whole config of a plugin with a YAML or JSON file ("-": standard input).');
  callsService(set).action(async (id: string, file: string, flags: JsonFlags) => {
    const { setConfig } = await import('./config.js');
    await setConfig(id, file, flags);
  });
}
