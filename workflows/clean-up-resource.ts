import { proxyActivities } from '@temporalio/workflow';
import type { CoreActivities } from '../activities/index.js';

const { deleteResourceObjects } = proxyActivities<CoreActivities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '30 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '5 minutes' },
  summary: 'Remove stored objects',
});

/** Removes what a deleted resource left outside the database; tries until it is done. */
export async function cleanUpResource(input: { readonly resourceId: string }): Promise<void> {
  await deleteResourceObjects(input);
}
