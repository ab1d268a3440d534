import { jsonHash } from '../../core/json/canonical-json.js';
import { validationFailed } from '../../core/errors.js';
import { isUuid } from '../../core/ids.js';
import type { ResourceFilter } from '../../core/resources/resource-filter.js';
import type { ResourceSort } from '../../core/resources/resource-sort.js';
import { fitsSort, positionOf, type ResourcePosition } from '../../storage/resources/resource-lists.js';
import type { Resource } from '../../storage/resources/resources.js';
import { readCursor, refuseCursor } from './pages.js';

/** Cursors of one list of resources. Each encodes a position and the list it belongs to. */
export interface ResourceCursors {
  /** Reads the position in a cursor; null without one. Throws VALIDATION_FAILED for a cursor of another list. */
  readonly read: (cursor: string | undefined) => ResourcePosition | null;
  /** Returns what the cursor of a resource encodes. */
  readonly of: (resource: Resource) => unknown;
}

export function resourceCursors(sort: ResourceSort, filter: ResourceFilter): ResourceCursors {
  const list = jsonHash([sort, filter]).slice(0, 16);
  return {
    read(cursor) {
      if (cursor === undefined) return null;
      const parts = readCursor(cursor);
      if (!Array.isArray(parts) || parts.length < 3 || parts.length > 4) throw refuseCursor();
      const [value, id, listOfCursor, isCut = false] = parts as readonly unknown[];
      if (typeof listOfCursor !== 'string') throw refuseCursor();
      if (listOfCursor !== list) {
        throw validationFailed({
          path: '/cursor',
          message: 'belongs to a list with a different sort or filters; start again without a cursor',
        });
      }
      if (!fitsSort(value, sort) || typeof id !== 'string' || !isUuid(id)) throw refuseCursor();
      if (typeof isCut !== 'boolean' || (isCut && typeof value !== 'string')) throw refuseCursor();
      return { value, id, isCut };
    },
    of(resource) {
      const { value, id, isCut } = positionOf(resource, sort);
      return isCut === true ? [value, id, list, true] : [value, id, list];
    },
  };
}
