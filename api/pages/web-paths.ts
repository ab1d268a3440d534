/** The paths of the web page's views from the root. */
export const views = [
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

/** Returns the view at a path as listed above, or null. */
export function viewAt(path: string): string | null {
  return patterns.find(([, pattern]) => pattern.test(path))?.[0] ?? null;
}

/** Whether a path is meant for programs, so that even browsers get errors as JSON. */
export function isForPrograms(path: string): boolean {
  return /^\/(api|assets|mcp)(\/|$)/.test(path);
}
