import type { ListedPlugin } from '@knowledge-warehouse/client';
import type { DraftStep } from './draft.js';

/** An artifact type that a step requires. */
export interface Need {
  readonly type: string;
  /** The latest earlier step that produces it, whose artifact the step gets; null: no earlier step produces it. */
  readonly from: number | null;
  /** The first later step that would produce it; null: no later step produces it. */
  readonly later: number | null;
}

/** The inputs and outputs of a step, as its plugin declares them. */
export interface StepFlow {
  /** Null: the plugin does not declare them. */
  readonly reads: readonly Need[] | null;
  readonly produces: readonly string[];
}

/** Returns what each step of a pipeline reads and produces; null for a step with an unknown plugin. */
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
