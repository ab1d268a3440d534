import { ServiceError } from '../../../core/errors.js';
import type { Artifact } from '../../../storage/artifacts.js';
import { openStored } from '../../../storage/object-store/open-stored.js';
import { unreadableArtifact } from '../../../storage/object-store/unreadable.js';
import type { WholeResource } from '../../../storage/resources/resources.js';
import type { ApiDeps } from '../../deps.js';
import { found } from '../../lookups/found.js';
import { withArtifact } from '../../reply/artifact-content.js';
import { chunksAsText } from './chunks-as-text.js';
import { readWindow, type TextWindow } from './text-window.js';

/** A part of the text of a resource. */
export interface ShownText extends TextWindow {
  readonly whole: WholeResource;
}

/** Reads a resource that models may see from PostgreSQL. Throws NOT_FOUND, also for a disabled resource. */
export async function findShown(deps: Pick<ApiDeps, 'reads'>, id: string): Promise<WholeResource> {
  const whole = await deps.reads.resource(id);
  return found(whole?.resource.is_enabled === true ? whole : null, 'resource', id);
}

/**
 * Returns the artifact with the text: the one that the chunks were cut from, since the offsets of search hits refer to
 * it. Without chunks, the last text; without a text, the chunks; null if there is neither.
 */
export function textOf(artifacts: readonly Artifact[]): Artifact | null {
  const chunks = artifacts.findLast(({ type, content_type }) => type === 'chunks' && content_type === 'json');
  const lastStep = chunks?.step_index ?? Infinity;
  const text = artifacts.findLast(
    ({ type, content_type, step_index }) =>
      type === 'text' && content_type === 'text' && step_index <= lastStep,
  );
  return text ?? chunks ?? null;
}

/**
 * Reads a part of the text of a resource that models may see. `choose` returns the part in code points, and may refuse
 * the resource. Throws NOT_FOUND, also if the resource is deleted or disabled during the read, and read errors.
 */
export async function readShownText(
  deps: ApiDeps,
  id: string,
  choose: (whole: WholeResource, text: Artifact) => { readonly start: number; readonly end: number },
): Promise<ShownText> {
  const whole = await findShown(deps, id);
  const artifact = textOf(whole.artifacts);
  if (artifact === null) throw noText(whole);
  const { start, end } = choose(whole, artifact);
  const stream = await withArtifact(deps, whole.resource.id, artifact.id, (newest) =>
    openStored(deps.objectStore, newest, { unreadable: unreadableArtifact(newest) }),
  );
  const text = artifact.type === 'text' ? stream : chunksAsText(stream);
  const window = await readWindow(text, start, end);
  await findShown(deps, id);
  return { ...window, whole };
}

function noText({ resource: { id, status } }: WholeResource): ServiceError {
  const next =
    status === 'COMPLETED'
      ? 'Its pipeline produced no text.'
      : `It is ${status}; get_resource says what it waits for or why it failed.`;
  return new ServiceError('NOT_FOUND', `The resource ${id} has no text. ${next}`);
}
