import type { ListedPlugin } from '@knowledge-warehouse/client';
import type { DraftStep } from './draft.js';

/** An artifact type that a step cannot do without. */
export interface Need {
  readonly type: string;
  /** The latest earlier step that produces it, which is the one whose artifact the step gets; null: none does. */
  readonly from: number | null;
  /** The first later step that would produce it; null: none does. */
  readonly later: number | null;
}

/** What passes through a step, as its plugin declares it. */
export interface StepFlow {
  /** Null: the plugin does not say. */
  readonly reads: readonly Need[] | null;
  readonly produces: readonly string[];
}

/** What each step of a pipeline reads and produces; null for a step whose plugin is not known. */
export function flowOf(
  steps: readonly Pick<DraftStep, 'plugin_id'>[],
  plugins: readonly Pick<ListedPlugin, 'id' | 'reads' | 'produces'>[],
): readonly (StepFlow | null)[] {
  const known = new Map(plugins.map((plugin) => [plugin.id, plugin]));
  const made = steps.map(({ plugin_id }) => known.get(plugin_id)?.produces ?? []);
  const orNull = (index: number): number | null => (index === -1 ? null : index);
  return steps.map(({ plugin_id }, at) => {
    const plugin = known.get(plugin_id);
    if (plugin === undefined) return null;
    const { reads, produces } = plugin;
    const toNeed = (type: string): Need => ({
      type,
      from: orNull(made.findLastIndex((types, index) => index < at && types.includes(type))),
      later: orNull(made.findIndex((types, index) => index > at && types.includes(type))),
    });
    return { reads: reads?.map(toNeed) ?? null, produces };
  });
}
