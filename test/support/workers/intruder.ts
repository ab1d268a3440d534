import { bundleWith, sdk } from '../service/workflow-bundle.js';

/**
 * Writes the workflows of an attacker with access to Temporal. Each makes Core's worker run activities, one after the
 * other, with the attacker's input, and returns the type of each failure. Returns the path of their bundle.
 */
export const intruderBundle = (): string =>
  bundleWith(`
    const own = ${sdk}.proxyActivities({
      taskQueue: 'kw-core',
      startToCloseTimeout: '20 seconds',
      retry: { maximumAttempts: 3 },
    });
    const outcomes = [];
    for (const activity of input.activities)
      outcomes.push(await own[activity](...input.args).then((result) => 'none: ' + JSON.stringify(result), typeOf));
    return outcomes;
    function typeOf(error) {
      while (error.cause instanceof Error) error = error.cause;
      return error.type ?? String(error);
    }`);
