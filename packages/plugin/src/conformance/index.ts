import { startFakeCore } from './fake-core.js';
import { createKit, type Kit, type KitOptions } from './kit.js';
import { failed, notApplicable, type Rule } from './rule.js';
import { rules } from './rules/index.js';
import { tryRules, type RuleResult } from './try-rules.js';
import { connectWorker, WorkerAway, type CheckedWorker } from './worker.js';

export { WorkerAway } from './worker.js';
export type { RuleResult } from './try-rules.js';
export type { Content, InputContent, Material } from './material.js';

export interface CheckOptions extends Pick<
  KitOptions,
  'material' | 'failing' | 'pluginId' | 'timeoutMs' | 'heartbeatSeconds'
> {
  readonly endpoint: string;
  readonly secret: string;
  /** The address that receives the worker's requests; port 0 for a free one. */
  readonly listen: { readonly host: string; readonly port: number };
  readonly publicUrl: string | undefined;
  readonly onRule?: (name: string) => void;
}

/**
 * Acts as Core to check an HTTP worker against the rules of the protocol.
 *
 * @throws WorkerAway if the endpoint does not accept connections
 */
export async function checkWorker(options: CheckOptions): Promise<readonly RuleResult[]> {
  const core = await startFakeCore({ ...options.listen, publicUrl: options.publicUrl });
  try {
    const worker = connectWorker(options.endpoint, options.secret, options.timeoutMs);
    const kit = createKit({ ...options, core, worker });
    await assertThere(worker, kit);
    return await tryRules(rules, (rule) => tryRule(rule, kit), options.onRule);
  } finally {
    await core.close();
  }
}

/** Checks that something answers; the rules judge the answer itself. */
async function assertThere(worker: CheckedWorker, kit: Kit): Promise<void> {
  try {
    await worker.post(kit.attempt().message, 'unsigned');
  } catch (error) {
    if (error instanceof WorkerAway && !error.isUnreachable) return;
    throw error;
  }
}

/** Runs a rule. The rule fails if the worker does not answer. */
async function tryRule(rule: Rule, kit: Kit): ReturnType<Rule['run']> {
  try {
    if (rule.needsOutcome === true && (await kit.ordinary()).attempt.outcome === null)
      return notApplicable('an ordinary step had no outcome');
    return await rule.run(kit);
  } catch (error) {
    if (error instanceof WorkerAway) return failed('an answer', error.message);
    throw error;
  }
}
