import { isDeepStrictEqual } from 'node:util';
import { checkMetadataSize, mergeMetadata, type ResourceMetadata } from '../../core/resources/metadata.js';
import type { Db } from '../database/connection.js';
import { lockExisting, updateResource, type Resource } from './resources.js';

/** The fields of a resource that users can change. */
export interface ResourceChanges {
  readonly name?: string;
  readonly is_enabled?: boolean;
  /** A JSON Merge Patch (RFC 7396); null removes all metadata. */
  readonly metadata?: ResourceMetadata | null;
}

/**
 * Applies a user's changes to a resource, and locks it until the transaction ends. Writes nothing if the resource
 * already has these values, so that its entity tag stays. Throws NOT_FOUND, and VALIDATION_FAILED if the metadata would
 * exceed the limit of a resource.
 */
export async function editResource(trx: Db, id: string, changes: ResourceChanges): Promise<void> {
  const resource = await lockExisting(trx, id);
  const { metadata: patch, ...rest } = changes;
  const wanted: Partial<Resource> = {
    ...rest,
    ...(patch !== undefined && {
      metadata: patch === null ? {} : mergeMetadata(resource.metadata, patch),
    }),
  };
  if (wanted.metadata !== undefined) checkMetadataSize(wanted.metadata, '/metadata');
  const changed = Object.entries(wanted).filter(
    ([name, value]) => !isDeepStrictEqual(value, resource[name as keyof Resource]),
  );
  if (changed.length > 0) await updateResource(trx, id, Object.fromEntries(changed));
}
