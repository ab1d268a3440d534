import type { ListedPlugin, Plugin } from '@knowledge-warehouse/client';
import { formatRelative, plural } from './format.js';

export interface Health {
  readonly tone: 'green' | 'amber' | 'grey';
  readonly text: string;
  /** What to do about it. */
  readonly advice?: string;
}

/** Whether a plugin's steps get on, as far as can be told. `pollers` is told of a single plugin alone. */
export function healthOf(plugin: ListedPlugin & Partial<Pick<Plugin, 'pollers'>>, now: number): Health {
  const { is_active, kind, pollers, last_seen_at, task_queue } = plugin;
  if (!is_active) {
    return { tone: 'grey', text: 'Inactive', advice: 'Steps that begin now fail. Activate it to go on.' };
  }
  // An HTTP worker is called: whether it answers, its steps tell.
  if (kind === 'http') return { tone: 'green', text: 'Active' };
  const seen = last_seen_at === null ? 'Not seen yet' : `Seen ${formatRelative(new Date(last_seen_at), now)}`;
  if (pollers === undefined) return { tone: 'grey', text: seen };
  if (pollers === null) {
    return { tone: 'amber', text: 'Unknown', advice: 'Temporal does not answer who listens.' };
  }
  if (pollers === 0) {
    return {
      tone: 'amber',
      text: 'No worker listens',
      advice: `Its steps wait. Start a worker on the task queue “${task_queue ?? ''}”.`,
    };
  }
  return { tone: 'green', text: `${plural(pollers, 'worker')} listening` };
}
