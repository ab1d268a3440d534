// Runs before the first paint, so that a dark page does not flash white. Modules would run too late.
(() => {
  let chosen = 'auto';
  try {
    chosen = localStorage.getItem('kw-color-scheme') ?? 'auto';
  } catch {
    // Storage is not available: use the system setting.
  }
  const dark =
    chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();
