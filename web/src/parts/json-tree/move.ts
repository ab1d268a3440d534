import type { JsonRow } from './rows.js';

export type Move =
  { readonly kind: 'go'; readonly to: number } | { readonly kind: 'open' | 'close'; readonly path: string };

const pageRows = 15;

/** Returns the effect of a key in a tree, following the ARIA Authoring Practices; null for keys without one. */
export function move(rows: readonly JsonRow[], active: number, key: string): Move | null {
  const row = rows[active];
  if (row === undefined) return null;
  const last = rows.length - 1;
  const go = (to: number): Move => ({ kind: 'go', to: Math.max(0, Math.min(last, to)) });
  switch (key) {
    case 'ArrowDown':
      return go(active + 1);
    case 'ArrowUp':
      return go(active - 1);
    case 'PageDown':
      return go(active + pageRows);
    case 'PageUp':
      return go(active - pageRows);
    case 'Home':
      return go(0);
    case 'End':
      return go(last);
    case 'ArrowRight':
      if (row.isOpen === false) return { kind: 'open', path: row.path };
      return row.isOpen === true ? go(active + 1) : null;
    case 'ArrowLeft':
      if (row.isOpen === true) return { kind: 'close', path: row.path };
      return go(rows.findLastIndex(({ depth }, at) => at < active && depth < row.depth));
    case 'Enter':
    case ' ':
      return row.isOpen === null ? null : { kind: row.isOpen ? 'close' : 'open', path: row.path };
    default:
      return null;
  }
}
