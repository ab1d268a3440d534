import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

import type { NewOperation, Operation } from '@knowledge-warehouse/client';
import { longPatience, type CommandContext } from '../command.js';
import { CommandError } from '../exit.js';
import { canAsk, requireYes } from '../terminal/ask.js';
import { bar, percent } from '../terminal/progress-bar.js';
import { plain } from '../terminal/text.js';

export interface CarryOutFlags {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

const pollMs = 500;
const cannotBeUndone: ReadonlySet<string> = new Set(['delete', 'cancel']);

/** Shows what an operation would do, asks for confirmation, starts it and follows it until it ends. */
export async function carryOut(
  context: CommandContext,
  wish: NewOperation,
  flags: CarryOutFlags,
): Promise<void> {
  const { client, output, lines } = context;
  const { value: preview } = await client.POST('/operations', { body: { ...wish, dry_run: true } });
  if (!('eligible' in preview)) throw new CommandError('The service ignored dry_run.');
  const { matched, eligible, skipped } = preview;
  if (flags.dryRun === true) {
    output.result(preview, flags, () => [
      `${matched} match; ${wish.action} would apply to ${eligible}.`,
      ...describeCodes('would be skipped', skipped),
      ...preview.sample.map((id) => `  ${id}`),
    ]);
    return;
  }
  if (eligible > 0 || flags.json === true) {
    // Scripts must confirm actions that cannot be undone.
    if (cannotBeUndone.has(wish.action) || canAsk())
      await requireYes(`${wish.action}: ${eligible} of ${matched} resources that match. Continue?`, flags);
    const { value: made } = await client.POST('/operations', {
      params: { header: { 'Idempotency-Key': randomUUID() } },
      body: { ...wish, expected_matched: matched },
    });
    if (!('id' in made)) throw new CommandError('The service created no operation.');
    finish(context, await followOperation(context, made), flags);
    return;
  }
  lines.print(`Nothing to do: ${matched} match, ${eligible} of them eligible.`);
  for (const line of describeCodes('skipped', skipped)) lines.print(line);
}

/** Shows the progress of an operation until it ends. Ctrl-C and errors leave it running. */
export async function followOperation(context: CommandContext, begun: Operation): Promise<Operation> {
  const { client, lines, signal } = context;
  let operation = begun;
  lines.show(() => [describeProgress(operation)]);
  try {
    while (operation.status === 'RUNNING') {
      await pause(pollMs, undefined, { signal });
      const params = { path: { id: begun.id } };
      const { value } = await client.GET('/operations/{id}', { params, patience: longPatience });
      operation = value;
    }
    return operation;
  } catch (error) {
    lines.print(
      `The operation continues. Follow it: kw operations show ${begun.id} --wait; stop it: kw operations cancel ${begun.id}`,
    );
    throw error;
  } finally {
    lines.end();
  }
}

/** Prints the result of an operation. Throws CommandError if it was cancelled or an action failed. */
export function finish({ output }: CommandContext, operation: Operation, flags: CarryOutFlags): void {
  output.result(operation, flags, () => describeOperation(operation));
  if (operation.status === 'CANCELLED' || sum(operation.failed) > 0) throw new CommandError('');
}

/** Describes an operation in a few lines. */
export function describeOperation(operation: Operation): readonly string[] {
  const { action, status, done, matched, skipped, failed, stalled } = operation;
  return [
    `${action}: ${status}, ${done} of ${matched} done.`,
    ...describeCodes('skipped', skipped),
    ...describeCodes('failed', failed),
    ...(stalled === null ? [] : [plain(stalled)]),
  ];
}

function describeProgress(operation: Operation): string {
  const { action, matched, done, skipped, failed, stalled } = operation;
  const settled = done + sum(skipped) + sum(failed);
  const fraction = matched === 0 ? 1 : settled / matched;
  return `${bar(fraction)} ${percent(fraction)}  ${action}: ${settled} of ${matched}${stalled === null ? '' : `  ${plain(stalled)}`}`;
}

type Counts = Operation['skipped'];

const sum = (counts: Counts): number => Object.values(counts).reduce((total, count) => total + count, 0);

const describeCodes = (what: string, counts: Counts): string[] =>
  Object.entries(counts).map(([code, count]) => `${count} ${what}: ${plain(code)}`);
