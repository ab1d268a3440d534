import type { Command } from 'commander';

import { callsService } from '../command.js';
import type { ServiceFlags } from '../service/find-service.js';

/** Adds `kw mcp`. */
export function addMcp(program: Command): void {
  const command = program
    .command('mcp')
    .description(
      'Speak the Model Context Protocol on standard input and output, for desktop clients that start a program. It forwards every message to the service.',
    );
  callsService(command, { json: false }).action(async (flags: ServiceFlags) => {
    const { mcp } = await import('./command.js');
    await mcp(flags);
  });
}
