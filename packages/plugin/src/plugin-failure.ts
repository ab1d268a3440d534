import type { FailOptions } from './types.js';

/** The error that `ctx.fail` throws. Plugin code without a `ctx` may throw it directly. */
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

/** The failure of a plugin whose result breaks the rules. Not retryable: another attempt would have the same result. */
export function invalidResult(message: string): PluginFailure {
  return new PluginFailure('INVALID_RESULT', message, { retryable: false });
}
