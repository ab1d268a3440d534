/**
 * Returns a signal that aborts on SIGINT or SIGTERM, or when `also` aborts. Until `dispose` is called, these signals no
 * longer end the process by themselves.
 */
export function stopSignal(also: AbortSignal | undefined): { readonly signal: AbortSignal; dispose(): void } {
  const controller = new AbortController();
  const stop = (): void => controller.abort(new Error('The worker is stopping.'));
  process.on('SIGINT', stop).on('SIGTERM', stop);
  also?.addEventListener('abort', stop, { once: true });
  if (also?.aborted === true) stop();
  return {
    signal: controller.signal,
    dispose: () => {
      process.off('SIGINT', stop).off('SIGTERM', stop);
      also?.removeEventListener('abort', stop);
    },
  };
}
