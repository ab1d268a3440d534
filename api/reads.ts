import { isUuid } from '../core/ids.js';
import { findApiKeys, type ApiKeyRow } from '../storage/api-keys.js';
import { findArtifacts, type Artifact } from '../storage/artifacts.js';
import type { Db } from '../storage/database.js';
import { findWholeResources, type WholeResource } from '../storage/resources.js';
import { askTogether } from './ask-together.js';

/** What most requests need of the database: those that come at the same time share a statement. */
export interface Reads {
  /** The key that a text is at this moment, unless it is unknown, revoked or expired. */
  apiKey(text: string): Promise<ApiKeyRow | null>;
  /** A resource with its steps and artifacts as they stand at this moment, or null. */
  resource(id: string): Promise<WholeResource | null>;
  /** An artifact of a resource as it stands at this moment, or null. */
  artifact(resourceId: string, id: string): Promise<Artifact | null>;
}

export function createReads(db: Db): Reads {
  const resource = byUuid((ids) => findWholeResources(db, ids));
  const artifact = byUuid((ids) => findArtifacts(db, ids));
  return {
    apiKey: askTogether((texts) => findApiKeys(db, texts)),
    resource,
    async artifact(resourceId, id) {
      const found = await artifact(id);
      return found?.resource_id === resourceId.toLowerCase() ? found : null;
    },
  };
}

/** Asks together by ids in lower case. A text that is none would be an error of everybody's statement. */
function byUuid<Value>(
  ask: (ids: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
): (id: string) => Promise<Value | null> {
  const get = askTogether(ask);
  return async (id) => (isUuid(id) ? await get(id.toLowerCase()) : null);
}
