#!/usr/bin/env node
import { readFileSync } from 'node:fs';

import { Command } from 'commander';

import { explain } from './operations/expected-error.js';
import { addOperations } from './operations/index.js';
import { addPluginCommands } from './plugins/index.js';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const program = new Command('kw')
  .description('Knowledge Warehouse: turns files and URLs into knowledge.')
  .version(version)
  .showHelpAfterError('Try "kw --help".');
addOperations(program);
addPluginCommands(program);

try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}
