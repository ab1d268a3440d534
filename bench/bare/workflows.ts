import { condition, defineSignal, proxyActivities, setHandler } from '@temporalio/workflow';

/** What our steps are compared with: activities one after the other, and nothing else. */
export async function bare(steps: number, taskQueue: string): Promise<void> {
  const { noop } = proxyActivities<{ noop(): Promise<object> }>({
    taskQueue,
    startToCloseTimeout: '60 seconds',
  });
  for (let step = 0; step < steps; step++) await noop();
}

/** What our HTTP steps are compared with: activities that an HTTP worker completes by their task token. */
export async function delivered(steps: number, endpoint: string, callbackUrl: string): Promise<void> {
  const { deliver } = proxyActivities<{ deliver(endpoint: string, callbackUrl: string): Promise<object> }>({
    startToCloseTimeout: '60 seconds',
  });
  for (let step = 0; step < steps; step++) await deliver(endpoint, callbackUrl);
}

/** What our reports are compared with: one signal, and nothing else. */
export async function signalled(): Promise<void> {
  let woken = false;
  setHandler(defineSignal('wake'), () => void (woken = true));
  await condition(() => woken);
}
