import type { Patience } from '@knowledge-warehouse/client';
import type { Command } from 'commander';

import { Interrupted } from './exit.js';
import type { Client } from './service/client.js';
import { readClientEnvironment } from './service/environment.js';
import { findService, type ServiceFlags } from './service/find-service.js';
import type { LiveLines } from './terminal/live-lines.js';
import { createOutput, type Output } from './terminal/output.js';
import { paintFor, type Paint } from './terminal/paint.js';

/** What every command that calls the service receives. */
export interface CommandContext {
  readonly client: Client;
  /** The result, on standard output. */
  readonly output: Output;
  /** Colours for the result. */
  readonly paint: Paint;
  /** Progress and messages, on standard error. */
  readonly lines: LiveLines;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

const tries = 4;

/** For the requests of commands that wait for the service: it may be away for about five minutes. */
export const longPatience: Patience = { tries: 46 };

/** Adds the options of commands that call the service. */
export function addServiceOptions(command: Command, { json } = { json: true }): Command {
  // The options of `addBulkOptions` have a group of their own.
  command.optionsGroup('Options:');
  if (json) command.option('--json', "print the API's JSON instead of text");
  return command
    .optionsGroup('Service and API key:')
    .option('--url <url>', 'the URL of the service (KW_URL)')
    .option('--key-file <file>', 'a file that contains the API key (or set KW_API_KEY to the key itself)');
}

/**
 * Returns an action that loads its function when the command is called, so that other commands start without it. The
 * function gets the command's arguments, and the options of the command and those above it.
 */
export const loaded =
  (load: () => Promise<(...args: never[]) => unknown>) =>
  async (...given: unknown[]): Promise<void> => {
    const run = await load();
    const command = given.at(-1) as Command;
    await run(...([...given.slice(0, -2), command.optsWithGlobals()] as never[]));
  };

/**
 * Runs a command against the service selected by the flags and the environment. The first Ctrl-C cancels its
 * requests and ends the command with Interrupted; a second one kills the process.
 */
export async function withService(
  flags: ServiceFlags,
  work: (context: CommandContext) => Promise<void>,
): Promise<void> {
  const service = findService(flags, readClientEnvironment());
  // Loading them takes longer than everything else that `kw --help` does.
  const [{ createClient }, { createLiveLines }] = await Promise.all([
    import('./service/client.js'),
    import('./terminal/live-lines.js'),
  ]);
  const interruption = onInterrupt();
  const { signal } = interruption;
  const lines = createLiveLines(process.stderr);
  const client = createClient(service, { signal, patience: { tries } });
  try {
    await work({
      client,
      output: createOutput(process.stdout),
      paint: paintFor(process.stdout),
      lines,
      signal,
    });
    signal.throwIfAborted();
  } catch (error) {
    // Ctrl-C makes commands fail in many different ways.
    throw signal.aborted ? signal.reason : error;
  } finally {
    lines.end();
    // Anything still open, such as a stream of changes, ends with the command.
    interruption.end();
    await client.close();
  }
}

/** Returns a command's function that does `work` as `withService` does. Its last argument is the flags. */
export const onService =
  <Args extends readonly [...unknown[], ServiceFlags]>(
    work: (context: CommandContext, ...args: Args) => Promise<void>,
  ) =>
  async (...args: Args): Promise<void> => {
    await withService(args.at(-1) as ServiceFlags, (context) => work(context, ...args));
  };

/** Returns a signal that aborts on Ctrl-C or when the system asks the process to end. `end` stops listening. */
export function onInterrupt(): { readonly signal: AbortSignal; end(): void } {
  const controller = new AbortController();
  const interrupt = (signal: NodeJS.Signals): void => {
    if (!controller.signal.aborted) {
      controller.abort(new Interrupted());
      return;
    }
    // The terminal's cursor may be hidden.
    if (process.stderr.isTTY) process.stderr.write('\x1b[?25h');
    // process.exit() would wait for threads, and thus for a file that cannot be opened.
    stopListening();
    process.kill(process.pid, signal);
  };
  const stopListening = (): void => {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt).off('SIGHUP', interrupt);
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt).on('SIGHUP', interrupt);
  return {
    signal: controller.signal,
    end() {
      stopListening();
      // What is still open ends without a message.
      controller.abort(new Interrupted());
    },
  };
}
