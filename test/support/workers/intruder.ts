import { proxyActivities } from '@temporalio/workflow';

/** A workflow of somebody's who has reached Temporal: it has Core's worker carry out an activity with input of their own. */
export async function intrude(activity: string, ...args: readonly unknown[]): Promise<unknown> {
  const activities = proxyActivities({
    taskQueue: 'kw-core',
    startToCloseTimeout: '20 seconds',
    retry: { maximumAttempts: 3 },
  });
  return await activities[activity]!(...args);
}
