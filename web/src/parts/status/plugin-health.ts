import type { ListedPlugin, Plugin } from '@knowledge-warehouse/client';
import { formatCount, formatRelative, plural } from '../format.js';

export interface Health {
  readonly tone: 'green' | 'amber' | 'grey';
  readonly text: string;
  /** What to do about it. */
  readonly advice?: string;
}

/** Returns a plugin's health as far as it is known. Only a single plugin has `pollers`; lists do not. */
export function healthOf(plugin: ListedPlugin & Partial<Pick<Plugin, 'pollers'>>, now: number): Health {
  const { is_active, kind, pollers, last_seen_at, task_queue } = plugin;
  if (!is_active) {
    return { tone: 'grey', text: 'Inactive', advice: 'New steps fail. Activate it to continue.' };
  }
  if (kind === 'http') return healthOfDeliveries(plugin);
  const seen = last_seen_at === null ? 'Not seen yet' : `Seen ${formatRelative(new Date(last_seen_at), now)}`;
  if (pollers === undefined) return { tone: 'grey', text: seen };
  if (pollers === null) {
    return {
      tone: 'amber',
      text: 'Unknown',
      advice: 'Temporal does not answer, so the workers are unknown.',
    };
  }
  if (pollers === 0) {
    return {
      tone: 'amber',
      text: 'No worker polls',
      advice: `Its steps wait. Start a worker on the task queue “${task_queue ?? ''}”.`,
    };
  }
  return { tone: 'green', text: `${plural(pollers, 'worker')} polling` };
}

/** The health of an HTTP worker follows from its deliveries of the last hour. */
function healthOfDeliveries({ deliveries }: ListedPlugin): Health {
  const { succeeded, failed, last_success_at, last_failure } = deliveries ?? nothing;
  const all = succeeded + failed;
  const failedText = `${formatCount(failed)} of ${formatCount(all)} failed in the last hour`;
  const advice =
    last_failure === null ? '' : `The last failure was ${last_failure.code}: ${last_failure.message}`;
  if (last_failure !== null && (last_success_at === null || last_success_at < last_failure.at))
    return { tone: 'amber', text: all === 0 ? 'Last delivery failed' : failedText, advice };
  if (all === 0) return { tone: 'grey', text: 'No attempt ended in the last hour' };
  return failed === 0
    ? { tone: 'green', text: `${formatCount(succeeded)} succeeded in the last hour` }
    : { tone: 'amber', text: failedText, advice };
}

const nothing = { succeeded: 0, failed: 0, last_success_at: null, last_failure: null };
