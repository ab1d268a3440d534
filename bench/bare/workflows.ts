import { proxyActivities } from '@temporalio/workflow';

/** What our steps are compared with: activities one after the other, and nothing else. */
export async function bare(steps: number, taskQueue: string): Promise<void> {
  const { noop } = proxyActivities<{ noop(): Promise<object> }>({
    taskQueue,
    startToCloseTimeout: '60 seconds',
  });
  for (let step = 0; step < steps; step++) await noop();
}
