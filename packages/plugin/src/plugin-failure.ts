import type { FailOptions } from './types.js';

/** What `ctx.fail` throws. A plugin may throw it itself where it has no `ctx` at hand. */
export class PluginFailure extends Error {
  override readonly name = 'PluginFailure';

  constructor(
    readonly code: string,
    message: string,
    readonly options: FailOptions = {},
  ) {
    super(message);
  }
}
