import type { FailOptions } from './types.js';

/** The error that `ctx.fail` throws. A plugin may throw it directly if it has no `ctx`. */
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
