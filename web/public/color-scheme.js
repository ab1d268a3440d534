// Before the first paint, so that a dark page does not begin white. No module: modules wait for the document.
(() => {
  let chosen = 'auto';
  try {
    chosen = localStorage.getItem('kw-color-scheme') ?? 'auto';
  } catch {
    // A browser that keeps nothing: as the system has it.
  }
  const dark =
    chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();
