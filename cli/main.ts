#!/usr/bin/env node
import { readFileSync } from 'node:fs';

import { Command, CommanderError } from 'commander';

import { addAudit } from './audit/index.js';
import { addBulkCommands } from './bulk/index.js';
import { addCompletion } from './completion/index.js';
import { CommandError, exitCodes } from './exit.js';
import { explainService } from './explain.js';
import { explain } from './operations/expected-error.js';
import { addHelp } from './help.js';
import { addMcp } from './mcp/index.js';
import { addOperations } from './operations/index.js';
import { addPipelineCommands } from './pipelines/index.js';
import { addPluginCommands } from './plugins/index.js';
import { addResourceCommands } from './resources/index.js';
import { ApiError, Unreachable } from '@knowledge-warehouse/client';
import { addSearchCommands } from './search/index.js';
import { addSessionCommands } from './session/index.js';
import { endWithoutOutput, flushed } from './terminal/output.js';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const program = new Command('kw')
  .description('Knowledge Warehouse: turns files and URLs into knowledge.')
  .version(version)
  // "kw search Austria -Vienna" does not ask for the version.
  .enablePositionalOptions()
  .showHelpAfterError('Try "kw --help".')
  .exitOverride()
  .addHelpText(
    'after',
    `
Exit codes: 0 all went well (with --wait: all are COMPLETED), ${exitCodes.failed} something failed, ${exitCodes.usage} wrong usage, ${exitCodes.interrupted} interrupted.
The client's commands find the service by --url and --key-file, KW_URL and KW_API_KEY, "kw login", or the
"npm start" of this folder, in this order. docs/cli.md describes them all.`,
  );
program.commandsGroup('Resources:');
addResourceCommands(program);
addBulkCommands(program);
program.commandsGroup('Search:');
addSearchCommands(program);
program.commandsGroup('Pipelines and plugins:');
addPipelineCommands(program);
addPluginCommands(program);
program.commandsGroup('Access:');
addAudit(program);
program.commandsGroup('This client:');
addSessionCommands(program);
addMcp(program);
addCompletion(program);
addHelp(program);
program.commandsGroup('Running the service:');
addOperations(program);

process.stdout.on('error', endWithoutOutput);
// Nobody may read the messages.
process.stderr.on('error', () => undefined);
try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = report(error);
  // process.exit() drops what a pipe has not taken yet.
  await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
  process.exit();
}

/** Prints the error and returns its exit code. */
function report(error: unknown): number {
  // Commander has already printed the message. Requests for help or the version are not errors.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage;
  if (error instanceof CommandError) {
    if (error.message !== '') process.stderr.write(`${error.message}\n`);
    return error.exitCode;
  }
  const lines =
    error instanceof ApiError || error instanceof Unreachable ? explainService(error) : [explain(error)];
  process.stderr.write(`${lines.join('\n')}\n`);
  return exitCodes.failed;
}
