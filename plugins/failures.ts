import { PluginFailure } from '@knowledge-warehouse/plugin';

/** The failure of a step that cannot use an artifact. Another attempt would fail in the same way. */
export function invalidInput(message: string): PluginFailure {
  return new PluginFailure('INVALID_INPUT', message, { retryable: false });
}

/** The failure of a step that cannot work with the value of this key of its config. */
export function invalidConfig(key: string, why: string): PluginFailure {
  return new PluginFailure('INVALID_CONFIG', `config ${key} ${why}`, { retryable: false, details: { key } });
}
