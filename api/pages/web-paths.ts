/** The views of the web page: their paths from the root. */
const views = [
  '/',
  '/login',
  '/overview',
  '/resources',
  '/resources/:id',
  '/pipelines',
  '/pipelines/:id',
  '/plugins',
  '/plugins/:id',
  '/search',
  '/keys',
  '/audit',
  '/system',
];

const patterns = views.map((view) => [view, new RegExp(`^${view.replace(':id', '[^/]+')}$`)] as const);

/** The view at a path, as it stands above; null: none. */
export function viewAt(path: string): string | null {
  return patterns.find(([, pattern]) => pattern.test(path))?.[0] ?? null;
}

/** Whether a path is meant for programs, so that even browsers get errors as the envelope. */
export function isForPrograms(path: string): boolean {
  return /^\/(api|assets|mcp)(\/|$)/.test(path);
}
