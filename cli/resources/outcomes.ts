import { CommandError, Interrupted } from '../exit.js';
import { explainShortly, hintFor } from '../explain.js';
import { ApiError, type ListedResource, type Resource } from '@knowledge-warehouse/client';
import type { CommandContext } from '../command.js';
import { UnresolvedName } from '../service/find-resource.js';
import { statusStyle } from '../terminal/paint.js';
import { plain } from '../terminal/text.js';
import { troubleOf } from './describe.js';

/** What the JSON says of a target that was refused. */
interface Refusal {
  readonly source: string;
  readonly error: ApiError['envelope']['error'];
}

/** Returns what the JSON says of a target that the service never refused. */
const notDone = (source: string, message: string, code = 'NOT_DONE'): Refusal => ({
  source,
  error: { code, message, details: {} },
});

/** The results of a command for each of several targets. */
export interface Outcomes {
  /** Reports a success. Prints a line, and another one if something is wrong with the resource. */
  done(index: number, resource: Resource): void;
  /** Reports that a resource was deleted: the service returns nothing to show. */
  deleted(index: number, id: string, name: string): void;
  /**
   * Reports a failure. Rethrows errors that no other target can avoid: a key that the service rejects, Ctrl-C. A proxy
   * may refuse one target and let others pass. With JSON, the summary says which target was refused.
   */
  failed(index: number, what: string, error: unknown): void;
  /** Keeps a resource that is not yet done, for the summary of a command that ends early. */
  unfinished(index: number, resource: Resource): void;
  /** Prints the summary of a command that ends early. `reason` says why the target of an index is not done. */
  abandoned(names: readonly string[], reason: (index: number) => string): void;
  /** Prints the final summary. Throws CommandError if something failed; the failures are already reported. */
  finish(): void;
  readonly failures: () => number;
}

const statusWidth = 'PROCESSING'.length;

/** Formats a resource as one line: id, status, name. */
export function resourceLine({ id, status, name }: ListedResource, paint: CommandContext['paint']): string {
  return `${id}  ${paint(statusStyle(status), status.padEnd(statusWidth))}  ${plain(name)}`;
}

/**
 * Prints outcomes as they arrive. With JSON, prints all of them at the end, in the order of the arguments:
 * each is the API's resource, `{id, deleted: true}`, or `{source, error}`.
 *
 * @param options.needed Whether a resource that is not COMPLETED is a failure.
 */
export function createOutcomes(
  { output, lines, paint }: CommandContext,
  options: { readonly json: boolean; readonly needed: 'COMPLETED' | 'any' },
): Outcomes {
  const results: unknown[] = [];
  const hints = new Set<string>();
  let failures = 0;
  const report = (): void => {
    if (options.json) output.json(results);
    for (const hint of hints) lines.print(hint);
  };
  return {
    failures: () => failures,
    unfinished(index, resource) {
      results[index] = resource;
    },
    abandoned(names, reason) {
      for (const [index, name] of names.entries()) results[index] ??= notDone(name, reason(index));
      report();
    },
    done(index, resource) {
      results[index] = resource;
      if (!options.json) lines.aside(() => output.line(resourceLine(resource, paint)));
      const trouble = troubleOf(resource);
      if (trouble !== null) lines.print(`${plain(resource.name)}: ${trouble}`);
      if (options.needed === 'COMPLETED' && resource.status !== 'COMPLETED') failures += 1;
    },
    deleted(index, id, name) {
      results[index] = { id, deleted: true };
      if (!options.json) lines.aside(() => output.line(`Deleted ${plain(name)}.`));
    },
    failed(index, what, error) {
      if (endsAll(error)) {
        if (error instanceof ApiError) results[index] ??= { source: what, ...error.envelope };
        throw error;
      }
      failures += 1;
      const message = explainShortly(error);
      const hint = hintFor(error);
      if (hint !== null) hints.add(hint);
      results[index] =
        error instanceof ApiError
          ? { source: what, ...error.envelope }
          : notDone(what, message, error instanceof UnresolvedName ? error.code : undefined);
      lines.print(`${plain(what)}: ${message}`);
    },
    finish() {
      report();
      if (failures > 0) throw new CommandError('');
    },
  };
}

function endsAll(error: unknown): boolean {
  if (error instanceof ApiError) return error.code === 'UNAUTHENTICATED' || error.code === 'FORBIDDEN';
  return error instanceof Interrupted;
}
