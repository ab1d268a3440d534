import type { NativeConnection } from '@temporalio/worker';
import { startFakeCore } from '../fake-core.js';
import type { CheckOptions } from '../index.js';
import type { Reply } from '../attempt.js';
import { tryRules, type RuleResult } from '../try-rules.js';
import { WorkerAway } from '../worker.js';
import { createControlHandler, type Claim, type Routing } from './control-requests.js';
import { createActivityKit } from './kit.js';
import { createOffers, type Offers } from './offers.js';
import { activityRules } from './rules/index.js';

export { WorkerAway } from '../worker.js';
export type { RuleResult } from '../try-rules.js';
export type { Routing } from './control-requests.js';

export interface CheckActivityOptions extends Pick<
  CheckOptions,
  'material' | 'failing' | 'timeoutMs' | 'listen' | 'publicUrl' | 'onRule'
> {
  /** How long the worker may take to register, or to poll, in milliseconds. */
  readonly patienceMs: number;
  readonly connection: NativeConnection;
  readonly namespace: string;
  /** Where the steps are offered; null to use the routing that the worker registers. */
  readonly routing: Routing | null;
  /** Called once steps can be served: the worker may start. Its KW_URL is `url`; its KW_API_KEY may be any text. */
  readonly onReady?: (url: string) => void;
}

/**
 * Checks an activity worker in any language against the rules of the protocol: acts as Core, and offers it steps
 * through Temporal as Core's workflows do.
 *
 * @throws WorkerAway if no worker registers, or none polls the task queue
 */
export async function checkActivityWorker(options: CheckActivityOptions): Promise<readonly RuleResult[]> {
  let routing = options.routing;
  let claim: (claim: Claim) => Reply | undefined = () => undefined;
  const serve = createControlHandler({
    config: options.material.config,
    claim: (each) => claim(each),
    registered: (given) => (routing ??= given),
  });
  const core = await startFakeCore({ ...options.listen, publicUrl: options.publicUrl, serve });
  const offers = createOffers(options.connection, options.namespace, () => core.nudge());
  try {
    options.onReady?.(core.url);
    const found = await core.until(() => routing ?? undefined, options.patienceMs);
    if (found === undefined) throw away('no worker registered a plugin');
    await awaitPoll(offers, found.taskQueue, options.patienceMs);
    const made = createActivityKit({ ...options, core, offers, routing: found });
    claim = made.claim;
    return await tryRules(activityRules, (rule) => rule.run(made.kit), options.onRule);
  } finally {
    await offers.close();
    await core.close();
  }
}

/** Waits until a worker polls. */
async function awaitPoll(offers: Offers, taskQueue: string, patienceMs: number): Promise<void> {
  const end = Date.now() + patienceMs;
  while (!(await offers.isPolled(taskQueue))) {
    if (Date.now() > end) throw away(`no worker polls the task queue ${taskQueue}`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

const away = (message: string): WorkerAway => new WorkerAway(message, true, { cause: null });
