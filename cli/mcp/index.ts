import type { Command } from 'commander';

import { addServiceOptions, loaded } from '../command.js';

/** Adds `kw mcp`. */
export function addMcp(program: Command): void {
  const command = program
    .command('mcp')
    .description(
      'Serve the Model Context Protocol on standard input and output, for desktop clients that launch a local server. Forwards every message to the service.',
    );
  addServiceOptions(command, { json: false }).action(loaded(async () => (await import('./command.js')).mcp));
}
