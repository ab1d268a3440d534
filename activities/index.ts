import type { Deps } from '../runtime/deps.js';
import { createAdvanceRun } from './advance-run.js';
import { createCancelDelivery } from './delivery/cancel-delivery.js';
import { createOperationActivities, type OperationActivities } from './carry-out-items.js';
import { createCleanUpActivities, type CleanUpActivities } from './clean-up.js';
import { createDeleteResourceObjects } from './delete-resource-objects.js';
import { createDeliverStep } from './delivery/deliver-step.js';
import { createFetchSource } from './fetch-source.js';

/** Core's own activities. */
export interface CoreActivities extends CleanUpActivities, OperationActivities {
  readonly cancelDelivery: ReturnType<typeof createCancelDelivery>;
  readonly advanceRun: ReturnType<typeof createAdvanceRun>;
  readonly deliverStep: ReturnType<typeof createDeliverStep>;
  readonly fetchSource: ReturnType<typeof createFetchSource>;
  readonly deleteResourceObjects: ReturnType<typeof createDeleteResourceObjects>;
}

/** Core's own activities, bound to their dependencies. */
export function createActivities(deps: Deps): CoreActivities {
  return {
    ...createCleanUpActivities(deps),
    ...createOperationActivities(deps),
    cancelDelivery: createCancelDelivery(deps),
    advanceRun: createAdvanceRun(deps),
    deliverStep: createDeliverStep(deps),
    fetchSource: createFetchSource(deps),
    deleteResourceObjects: createDeleteResourceObjects(deps),
  };
}
