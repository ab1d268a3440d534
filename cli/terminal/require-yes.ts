import { CommandError, UsageError } from '../exit.js';
import { canAsk, confirm } from './ask.js';

/** Asks for confirmation. Throws UsageError without a terminal, CommandError if the answer is no. */
export async function requireYes(question: string, { yes }: { readonly yes?: boolean }): Promise<void> {
  if (yes === true) return;
  if (!canAsk()) throw new UsageError('There is no terminal for the confirmation: pass --yes.');
  if (!(await confirm(question))) throw new CommandError('Nothing was changed.');
}
