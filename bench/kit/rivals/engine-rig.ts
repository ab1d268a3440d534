import { Client, Connection } from '@temporalio/client';
import { followCompletions, type Completions } from '../load/completions.js';
import { cpuSeconds } from '../costs/process-cost.js';
import { startParts, type BenchTemporal, type Parts, type RunningApi } from '../parts.js';
import { startRegistering, type Registering } from '../load/registering.js';

/** The service and a bare worker on the same Temporal server. */
export interface EngineRig {
  readonly parts: Parts;
  readonly api: RunningApi;
  readonly worker: { readonly pid: number };
  /** Provides the activity that does nothing, and the bare workflows. */
  readonly bareWorker: { readonly pid: number };
  readonly registering: Registering;
  readonly completions: Completions;
  /** Temporal client of the bare side. */
  readonly temporal: Client;
  /** Registers a resource of a type and waits for its COMPLETED event. */
  ours(type: string): Promise<void>;
  /** Runs a bare workflow with this many activities on a queue, from start to result. */
  bare(steps: number, taskQueue: string): Promise<void>;
  /** Returns the seconds of processor time that API and Core's worker have used so far. */
  cpu(): number;
  stop(): Promise<void>;
}

const program = (name: string): URL => new URL(`../../${name}`, import.meta.url);

/**
 * Starts the rig. For both sides, the bare worker's process polls the queue `noop` for the activity that does nothing;
 * with `builtIn`, Core's worker has built-in plugins that do nothing. `node`: Node options for the API and Core's
 * worker. `startTemporal`: starts another server instead of the dev server.
 */
export async function startEngineRig(
  options: {
    readonly builtIn?: boolean;
    readonly node?: { readonly api: readonly string[]; readonly worker: readonly string[] };
    readonly startTemporal?: () => Promise<BenchTemporal>;
  } = {},
): Promise<EngineRig> {
  const parts = await startParts({}, undefined, options.startTemporal);
  const api = await parts.startApi({}, options.node?.api);
  const core =
    options.builtIn === true
      ? await parts.startProgram(program('core-worker.ts'))
      : await parts.startWorker({}, options.node?.worker);
  const bareWorker = await parts.startProgram(program('bare/worker.ts'), [
    parts.temporalAddress,
    'bare',
    'noop',
  ]);
  const registering = startRegistering(api, 64);
  const completions = await followCompletions(api.base, api.key);
  const connection = await Connection.connect({ address: parts.temporalAddress });
  const client = new Client({ connection });
  let started = 0;
  if (options.builtIn !== true)
    await api.client.expect(201, 'POST', '/plugins', {
      id: 'noop',
      name: 'Does nothing',
      kind: 'activity',
      task_queue: 'noop',
      activity_type: 'noop',
    });
  return {
    parts,
    api,
    worker: core,
    bareWorker,
    registering,
    completions,
    temporal: client,
    async ours(type) {
      const id = await registering.register(type);
      await completions.of(id);
    },
    async bare(steps, taskQueue) {
      const workflowId = `bare-${process.pid}-${started++}`;
      await client.workflow.execute('bare', { taskQueue: 'bare', workflowId, args: [steps, taskQueue] });
    },
    cpu: () => cpuSeconds(api.pid) + cpuSeconds(core.pid),
    async stop() {
      await completions.close();
      await registering.close();
      await connection.close();
      await parts.stop();
    },
  };
}
