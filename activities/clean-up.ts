import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { cleanUpWorkflowId, type CleanUpResourceInput, type CleanUpTask } from '../core/runs/run-protocol.js';
import type { CleanUpMessage } from '@knowledge-warehouse/plugin/protocol';
import type { Deps } from '../runtime/deps.js';
import { cleanUpDone, cleanUpFailed, findCleanUp, listCleanUps, type CleanUp } from '../storage/clean-ups.js';
import { readConfig } from '../storage/pipelines/plugins.js';
import { describeError, refused } from './activity-errors.js';
import { startHeartbeat } from './attempt-errors.js';
import { postToPlugin, signFor } from './delivery/post-to-plugin.js';

const timeoutMs = 60_000;

/** Statuses with which a worker says that it never stores anything. A retry would be pointless. */
const neverCleansUp = new Set([404, 405, 410, 501]);

/** The activities by which a clean-up workflow has plugins remove their external data. */
export interface CleanUpActivities {
  /** The remaining clean-ups. Ends those whose plugin was deleted or no longer takes clean-ups. */
  planCleanUp(input: CleanUpResourceInput): Promise<CleanUpTask[]>;
  /** Asks an HTTP plugin to clean up. Its answer ends the clean-up or fails the activity. */
  deliverCleanUp(input: { readonly id: string }): Promise<void>;
  /** Records that an activity plugin has cleaned up. */
  finishCleanUp(input: { readonly id: string }): Promise<void>;
  /** Records why a plugin could not clean up, for operators. */
  noteCleanUpFailure(input: { readonly id: string; readonly error: string }): Promise<void>;
}

export function createCleanUpActivities(deps: Deps): CleanUpActivities {
  const { db, log } = deps;
  const end = async (cleanUp: CleanUp, why: string): Promise<void> => {
    await cleanUpDone(db, cleanUp.id);
    const about = { resource_id: cleanUp.resource_id, plugin: cleanUp.plugin_id, reason: cleanUp.reason };
    log.warn(about, `a clean-up was abandoned: ${why}`);
  };
  /** A clean-up that belongs to the current workflow; null if it is done. */
  const findOurs = async (id: string): Promise<CleanUp | null> => {
    const cleanUp = await findCleanUp(db, id);
    if (cleanUp !== null) assertOwnCleanUp(cleanUp);
    return cleanUp;
  };
  return {
    async planCleanUp({ resourceId, run }) {
      const tasks: CleanUpTask[] = [];
      for (const cleanUp of await listCleanUps(db, resourceId, run ?? null)) {
        if (cleanUp.kind === null) await end(cleanUp, 'the plugin was deleted');
        else if (cleanUp.kind === 'activity' && cleanUp.cleanup_activity_type === null)
          await end(cleanUp, 'the plugin no longer has a clean-up activity');
        else tasks.push(toTask(cleanUp, deps.config.publicUrl));
      }
      return tasks;
    },

    async deliverCleanUp({ id }) {
      const cleanUp = await findOurs(id);
      if (cleanUp?.endpoint === undefined || cleanUp.endpoint === null) return;
      const stopHeartbeat = startHeartbeat(Context.current());
      try {
        const status = await post(deps, cleanUp, cleanUp.endpoint);
        if (neverCleansUp.has(status)) await end(cleanUp, `the plugin answered ${status}`);
        else if (status >= 200 && status < 300) await cleanUpDone(db, id);
        else throw cleanUpRefused(`The plugin ${cleanUp.plugin_id} answered ${status}.`);
      } catch (error) {
        const message = error instanceof ApplicationFailure ? error.message : describeError(error).message;
        await cleanUpFailed(db, id, message);
        throw error;
      } finally {
        stopHeartbeat();
      }
    },

    async finishCleanUp({ id }) {
      const cleanUp = await findOurs(id);
      if (cleanUp?.kind === 'http') throw refused('an HTTP plugin itself reports that it is done.');
      if (cleanUp !== null) await cleanUpDone(db, id);
    },
    async noteCleanUpFailure({ id, error }) {
      if ((await findOurs(id)) !== null) await cleanUpFailed(db, id, error);
    },
  };
}

/** Refuses workflows other than that of the clean-up. */
export function assertOwnCleanUp({ resource_id: resourceId, run }: CleanUp): void {
  const { workflowExecution } = Context.current().info;
  const ids = [cleanUpWorkflowId({ resourceId }), cleanUpWorkflowId({ resourceId, run })];
  if (!ids.includes(workflowExecution?.workflowId ?? ''))
    throw refused('the clean-up belongs to another workflow.');
}

function cleanUpRefused(message: string): ApplicationFailure {
  return ApplicationFailure.create({ type: 'CLEAN_UP_FAILED', message });
}

async function post(deps: Deps, cleanUp: CleanUp, endpoint: string): Promise<number> {
  const config = (await readConfig(deps.db, deps.config.secrets, cleanUp.plugin_id)) ?? {};
  const message: CleanUpMessage = { ...toMessage(cleanUp), plugin: { id: cleanUp.plugin_id, config } };
  const signed = await signFor(deps, cleanUp.plugin_id, message);
  const signal = Context.current().cancellationSignal;
  return (await postToPlugin(deps, endpoint, signed, { timeoutMs, signal })).status;
}

function toTask(cleanUp: CleanUp, coreUrl: string): CleanUpTask {
  const { id, plugin_id, task_queue, cleanup_activity_type: type } = cleanUp;
  if (cleanUp.kind === 'http' || task_queue === null || type === null)
    return { id, plugin_id, activity: null };
  const message = { ...toMessage(cleanUp), core_url: coreUrl, plugin_id };
  return { id, plugin_id, activity: { task_queue, type, message } };
}

function toMessage({ reason, resource_id, up_to_run, artifacts }: CleanUp): Omit<CleanUpMessage, 'plugin'> {
  return { protocol: 'kw.cleanup/1', reason, resource: { id: resource_id }, run: up_to_run, artifacts };
}
