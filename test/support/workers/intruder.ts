import { proxyActivities } from '@temporalio/workflow';

/**
 * A workflow of an attacker with access to Temporal. It makes Core's worker run an activity with the attacker's input.
 */
export async function intrude(activity: string, ...args: readonly unknown[]): Promise<unknown> {
  const activities = proxyActivities({
    taskQueue: 'kw-core',
    startToCloseTimeout: '20 seconds',
    retry: { maximumAttempts: 3 },
  });
  return await activities[activity]!(...args);
}
