import { IconAlertCircle, IconRouteOff } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import type { Resource } from '@knowledge-warehouse/client';
import { Notice } from '../../parts/messages/notice.js';

/** Problems of the whole resource, and how to solve them. */
export function ResourceNotices({ resource }: { readonly resource: Resource }): ReactElement | null {
  const { status, type, error, no_matching_pipeline, steps } = resource;
  // A step's error is shown with the step.
  const isOfNoStep = error !== null && (error.step === null || steps[error.step] === undefined);
  if (!no_matching_pipeline && !isOfNoStep) return null;
  return (
    <>
      {no_matching_pipeline && (
        <Notice tone="amber" icon={<IconRouteOff size={19} />} title={`No pipeline has the type “${type}”`}>
          {status === 'PENDING'
            ? 'Nothing runs until you create one and process the resource. '
            : 'It cannot be reprocessed until you create one. '}
          <Link href={`/pipelines/new?trigger_type=${encodeURIComponent(type)}`}>Create pipeline</Link>
        </Notice>
      )}
      {isOfNoStep && (
        <Notice tone="red" icon={<IconAlertCircle size={19} />} title={error.code}>
          <bdi>{error.message}</bdi>
        </Notice>
      )}
    </>
  );
}
