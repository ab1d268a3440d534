import type { StepMessage } from '../../protocol/step.js';
import { PluginFailure } from '../../plugin-failure.js';
import { createInputs, createSource } from '../../inputs.js';
import { parseConfig } from '../../parse-config.js';
import type { AnyPlugin, PluginContext, PluginLog } from '../../types.js';
import type { AttemptCallback } from './attempt-callback.js';
import type { AttemptControl } from './attempt-control.js';
import type { AttemptProgress } from './attempt-progress.js';

/** One attempt, as its host provides it. */
export interface Attempt {
  readonly plugin: AnyPlugin;
  readonly message: StepMessage;
  readonly callback: AttemptCallback;
  readonly control: AttemptControl;
  readonly progress: AttemptProgress;
  readonly log: PluginLog;
}

/** Creates the context of a plugin that runs outside Core. Throws INVALID_CONFIG as `parseConfig` does. */
export function createRemoteContext(
  { plugin, message, callback, control: { signal }, progress, log }: Attempt,
  emit: PluginContext<never>['emit'],
): PluginContext<never> {
  const { id, name, type, source_type, media_type, size_bytes, sha256 } = message.resource;
  // Older versions of Core send no metadata.
  const { metadata = {} } = message.resource as Partial<StepMessage['resource']>;
  const { number, max, deadline } = message.attempt;
  const source = { url: message.resource.source_url, mediaType: media_type, size: size_bytes };
  return {
    resource: { id, name, type, source_type, media_type, size_bytes, sha256, metadata },
    run: message.run,
    stepIndex: message.step_index,
    attempt: { number, max, deadline: new Date(deadline) },
    config: parseConfig(plugin.configSchema, message.plugin.config) as never,
    source: createSource(message.resource, () => callback.read(source, signal)),
    inputs: createInputs(message.inputs, ({ url }) =>
      callback.read({ url, mediaType: null, size: null }, signal),
    ),
    signal,
    fetch,
    log,
    emit,
    progress: (fraction, text) => progress.report(fraction, text ?? null),
    fail: (code, text, options) => {
      throw new PluginFailure(code, text, options);
    },
  };
}
