export interface Waiting<Turn> {
  readonly weight: number;
  readonly begin: (turn: Turn) => void;
}

/**
 * Adds a task to those that wait, and resolves at its turn. If the signal aborts before that, the task leaves, and this
 * rejects with the signal's reason.
 *
 * @param beginNext Removes the tasks whose turn it is from `waiting` and begins them. Called when a task joins or
 *    leaves.
 */
export async function waitForTurn<Turn>(
  weight: number,
  signal: AbortSignal,
  waiting: Waiting<Turn>[],
  beginNext: () => void,
): Promise<Turn> {
  signal.throwIfAborted();
  return await new Promise<Turn>((resolve, reject) => {
    const leave = (): void => {
      waiting.splice(waiting.indexOf(entry), 1);
      reject(signal.reason as Error);
      beginNext();
    };
    const entry: Waiting<Turn> = {
      weight,
      begin(turn) {
        signal.removeEventListener('abort', leave);
        resolve(turn);
      },
    };
    signal.addEventListener('abort', leave, { once: true });
    waiting.push(entry);
    beginNext();
  });
}
