import type { TracingConfig } from '../settings/config.js';
import type { Logger } from '../logging/logger.js';
import type { Tracing } from './provider.js';

export type { Tracing };

/** Starts tracing if it has an endpoint. Otherwise OpenTelemetry's SDK is not loaded, and every span is a no-op. */
export async function startTracing(
  config: TracingConfig | null,
  processName: string,
  log: Logger,
): Promise<Tracing | null> {
  if (config === null) return null;
  const { createTracing } = await import('./provider.js');
  return createTracing(config, processName, log);
}
