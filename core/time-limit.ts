/** Parts of a time limit. Between two of them, the process handles the answers that have arrived. */
const parts = 10;

/**
 * Calls `late` after `ms` milliseconds, and returns a function that prevents it. While the process is busy or gets no
 * processor, answers wait in its sockets, and an ordinary timer would expire before they are read; this one counts such
 * a pause as at most a tenth of the limit.
 */
export function startTimeLimit(ms: number, late: () => void): () => void {
  let left = parts;
  let timer: NodeJS.Timeout | undefined;
  const wait = (): void => {
    timer = setTimeout(() => {
      left -= 1;
      if (left === 0) late();
      else wait();
    }, ms / parts);
  };
  wait();
  return () => clearTimeout(timer);
}

/**
 * Resolves like `work`; after `ms` milliseconds it ends like `late` instead, and the result of the work is ignored. The
 * time counts as in `startTimeLimit`.
 */
export async function withTimeLimit<T, L>(ms: number, work: Promise<T>, late: () => L): Promise<T | L> {
  let stop: () => void = () => undefined;
  const timeUp = new Promise<typeof isLate>((resolve) => (stop = startTimeLimit(ms, () => resolve(isLate))));
  try {
    const result = await Promise.race([work, timeUp]);
    return result === isLate ? late() : result;
  } finally {
    stop();
  }
}

const isLate = Symbol('late');
