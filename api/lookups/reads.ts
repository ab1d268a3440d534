import { isUuid } from '../../core/ids.js';
import { findApiKeys, type ApiKeyRow } from '../../storage/auth/api-keys.js';
import { findArtifacts, type Artifact } from '../../storage/artifacts.js';
import type { Db } from '../../storage/database/connection.js';
import { findWholeResources, type WholeResource } from '../../storage/resources/resources.js';
import { createKeptKeys } from '../auth/kept-keys.js';
import { batchLookups } from './batch-lookups.js';

/** The lookups that most requests make. Requests that arrive at the same time share a query. */
export interface Reads {
  /** Returns the current row of an API key, or null if the key is unknown, revoked or expired. */
  readonly apiKey: (text: string) => Promise<ApiKeyRow | null>;
  /** The same. While the database is unavailable, returns a row that it returned within the last hour. */
  readonly keptApiKey: (text: string) => Promise<ApiKeyRow | null>;
  /** Returns the current row of a resource with its steps and artifacts, or null. */
  resource(id: string): Promise<WholeResource | null>;
  /** Returns the current row of an artifact of a resource, or null. */
  artifact(resourceId: string, id: string): Promise<Artifact | null>;
}

export function createReads(db: Db): Reads {
  const resource = byUuid((ids) => findWholeResources(db, ids));
  const artifact = byUuid((ids) => findArtifacts(db, ids));
  const apiKey = batchLookups((texts: readonly string[]) => findApiKeys(db, texts));
  return {
    apiKey,
    keptApiKey: createKeptKeys(apiKey),
    resource,
    async artifact(resourceId, id) {
      const found = await artifact(id);
      return found?.resource_id === resourceId.toLowerCase() ? found : null;
    },
  };
}

/** Batches lookups by lower-case id. A text that is not a UUID would fail the query for all callers. */
function byUuid<Value>(
  ask: (ids: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
): (id: string) => Promise<Value | null> {
  const get = batchLookups(ask);
  return async (id) => (isUuid(id) ? await get(id.toLowerCase()) : null);
}
