/** Resolves like `work`; after `ms` milliseconds it ends like `late` instead, and the result of the work is ignored. */
export async function withTimeLimit<T, L>(ms: number, work: Promise<T>, late: () => L): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise<typeof isLate>((resolve) => (timer = setTimeout(resolve, ms, isLate)));
  try {
    const result = await Promise.race([work, timeUp]);
    return result === isLate ? late() : result;
  } finally {
    clearTimeout(timer);
  }
}

const isLate = Symbol('late');
