/** Calls `sample` before, after and every `everyMs` milliseconds during some work. */
export async function whileSampling(
  everyMs: number,
  sample: () => void,
  work: () => Promise<unknown>,
): Promise<void> {
  sample();
  const timer = setInterval(sample, everyMs);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  sample();
}
