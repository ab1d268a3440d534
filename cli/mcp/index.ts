import type { Command } from 'commander';

import { callsService, loaded } from '../command.js';

/** Adds `kw mcp`. */
export function addMcp(program: Command): void {
  const command = program
    .command('mcp')
    .description(
      'Speak the Model Context Protocol on standard input and output, for desktop clients that start a program. It forwards every message to the service.',
    );
  callsService(command, { json: false }).action(loaded(async () => (await import('./command.js')).mcp));
}
