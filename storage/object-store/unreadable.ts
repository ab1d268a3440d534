import { ServiceError } from '../../core/errors.js';
import type { SourceType } from '../../core/states.js';

/** What is wrong with a stored object: it is missing, or its length or hash does not match its row. */
export type Fault = 'missing' | 'damaged';

/** Creates the error for an object once its fault is known. */
export type Unreadable = (fault: Fault, cause?: unknown) => ServiceError;

/** Errors for an artifact's content: ARTIFACT_UNREADABLE. */
export function unreadableArtifact({ id, type }: { readonly id: string; readonly type: string }): Unreadable {
  return (fault, cause) =>
    new ServiceError(
      'ARTIFACT_UNREADABLE',
      `The stored content of the artifact ${type} (${id}) is ${fault}. Reprocess the resource to make it again.`,
      { artifact_id: id, reason: fault },
      { cause },
    );
}

/** Errors for a resource's source: SOURCE_UNREADABLE. */
export function unreadableSource({ source_type }: { readonly source_type: SourceType }): Unreadable {
  const remedy =
    source_type === 'URL'
      ? 'Reprocess the resource from its start to fetch the URL again.'
      : 'Upload the file again as a new resource.';
  return (fault, cause) => {
    const message = `The stored source of the resource is ${fault}. ${remedy}`;
    return new ServiceError('SOURCE_UNREADABLE', message, { reason: fault }, { cause });
  };
}

/** Whether an error means that a stored object is missing or damaged; retrying does not help. */
export function isUnreadable(error: unknown): error is ServiceError {
  return (
    error instanceof ServiceError &&
    (error.code === 'ARTIFACT_UNREADABLE' || error.code === 'SOURCE_UNREADABLE')
  );
}
