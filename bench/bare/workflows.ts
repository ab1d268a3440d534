import { condition, defineSignal, proxyActivities, setHandler } from '@temporalio/workflow';

/** The comparison for our steps: only activities, one after the other. */
export async function bare(steps: number, taskQueue: string): Promise<void> {
  const { noop } = proxyActivities<{ noop(): Promise<object> }>({
    taskQueue,
    startToCloseTimeout: '60 seconds',
  });
  for (let step = 0; step < steps; step++) await noop();
}

/** The comparison for our HTTP steps: activities that an HTTP worker completes by their task token. */
export async function delivered(steps: number, endpoint: string, callbackUrl: string): Promise<void> {
  const { deliver } = proxyActivities<{ deliver(endpoint: string, callbackUrl: string): Promise<object> }>({
    startToCloseTimeout: '60 seconds',
  });
  for (let step = 0; step < steps; step++) await deliver(endpoint, callbackUrl);
}

/** The comparison for our reports: only one signal. */
export async function signalled(): Promise<void> {
  let woken = false;
  setHandler(defineSignal('wake'), () => void (woken = true));
  await condition(() => woken);
}
