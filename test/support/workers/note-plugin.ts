import { definePlugin, type AnyPlugin, type PluginContext } from '@knowledge-warehouse/plugin';

/** Creates a built-in plugin `note` that emits one artifact of the type `note`, or runs a test's function. */
export function notePlugin(
  run: (ctx: PluginContext<unknown>) => Promise<void> = (ctx) => emitNote(ctx, `of ${ctx.resource.id}`),
): AnyPlugin {
  return definePlugin({
    id: 'note',
    name: 'Note',
    version: '1.0.0',
    configSchema: { type: 'object' },
    produces: ['note'],
    run,
  });
}

/** Emits the artifact of `note`. */
export async function emitNote(ctx: PluginContext<unknown>, content: string): Promise<void> {
  await ctx.emit({ type: 'note', content_type: 'text', content });
}
