import type { SearchStatus } from '@knowledge-warehouse/client';

const quietMs = 30_000;
const quiet = 'No progress for 30 seconds. Check that a worker runs, and read its log.';

/** What `kw search status` and `kw search rebuild` say while a rebuild fails. */
export const failingRebuild = (since: string): string =>
  `upkeep or rebuild failing since ${since}: the worker's log says why`;

/**
 * Returns a function that is called with each status while an index is rebuilt. It returns what to print: once that the
 * rebuild fails, and once that it makes no progress. `now`: milliseconds.
 */
export function createRebuildHints(
  now: () => number = () => performance.now(),
): (status: Pick<SearchStatus, 'rebuild' | 'upkeep_failing_since'>) => readonly string[] {
  const printed = new Set<string>();
  let resources = -1;
  let changedAt = now();
  const once = (kind: string, line: string): readonly string[] => {
    if (printed.has(kind)) return [];
    printed.add(kind);
    return [line];
  };
  return ({ rebuild, upkeep_failing_since: since }) => {
    // At the end, the complete index is optimized, which may take minutes.
    const isFilled = rebuild !== null && rebuild.total > 0 && rebuild.resources >= rebuild.total;
    if (rebuild !== null && (isFilled || rebuild.resources !== resources))
      [resources, changedAt] = [rebuild.resources, now()];
    if (since !== null) return once('failing', failingRebuild(since));
    return now() - changedAt < quietMs ? [] : once('quiet', quiet);
  };
}
