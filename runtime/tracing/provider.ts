import { context, diag, DiagLogLevel, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { WorkflowClientInterceptor } from '@temporalio/client';
import type { InjectedSinks, WorkerInterceptors } from '@temporalio/worker';
import temporalTracing from '#bundled/temporal-tracing';
import { messageOf } from '../../core/errors.js';
import { withTimeLimit } from '../../core/time-limit.js';
import type { TracingConfig } from '../settings/config.js';
import type { Logger } from '../logging/logger.js';
import { createSampler } from './sampler.js';

// A CommonJS module: its exports are members of the default export.
const {
  makeWorkflowExporter,
  OpenTelemetryActivityInboundInterceptor,
  OpenTelemetryWorkflowClientInterceptor,
} = temporalTracing;

/** Tracing of a process, with the hooks for Temporal's clients and workers. */
export interface Tracing {
  readonly clientInterceptors: readonly WorkflowClientInterceptor[];
  readonly activityInterceptors: NonNullable<WorkerInterceptors['activity']>;
  /** The sinks through which the spans of workflows leave their sandbox. */
  // oxlint-disable-next-line typescript/no-explicit-any -- the SDK's own type for sinks of any kind
  readonly sinks: InjectedSinks<any>;
  /** Flushes the remaining spans, taking about two seconds at most. Never throws. */
  stop(): Promise<void>;
}

/** Time limit for exporting one batch, and for the last one at shutdown, in milliseconds. */
const exportMs = 10_000;
const flushMs = 2_000;
/** Minimum time between two log lines about an unreachable receiver, in milliseconds. */
const quietMs = 60_000;

/** See `startTracing`. Registers itself as the global provider of OpenTelemetry's API. */
export function createTracing(config: TracingConfig, processName: string, log: Logger): Tracing {
  complainSeldom(log);
  const resource = defaultResource().merge(
    resourceFromAttributes({
      ...config.resourceAttributes,
      'service.name': config.serviceName ?? `kw-${processName}`,
    }),
  );
  const exporter = new OTLPTraceExporter({
    url: `${config.endpoint}/v1/traces`,
    headers: { ...config.headers },
    timeoutMillis: exportMs,
  });
  const processor = new BatchSpanProcessor(exporter, { exportTimeoutMillis: exportMs });
  const provider = new BasicTracerProvider({
    resource,
    sampler: createSampler(config.sampler, config.samplerArg),
    spanProcessors: [processor],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(
    new CompositePropagator({ propagators: [new W3CTraceContextPropagator(), new W3CBaggagePropagator()] }),
  );
  trace.setGlobalTracerProvider(provider);

  return {
    clientInterceptors: [startsAndSignals(new OpenTelemetryWorkflowClientInterceptor())],
    activityInterceptors: [(ctx) => ({ inbound: new OpenTelemetryActivityInboundInterceptor(ctx) })],
    sinks: { exporter: makeWorkflowExporter(processor, resource) },
    async stop() {
      const shutDown = provider.shutdown().catch((error: unknown) => {
        log.debug({ err: error }, 'the last spans were not sent');
      });
      await withTimeLimit(flushMs, shutDown, () => undefined);
    },
  };
}

/** Calls that start and signal workflows. The sweeps' queries are excluded, since each would be a trace of its own. */
function startsAndSignals(
  interceptor: InstanceType<typeof OpenTelemetryWorkflowClientInterceptor>,
): WorkflowClientInterceptor {
  return {
    startWithDetails: (input, next) => interceptor.startWithDetails(input, next),
    signal: (input, next) => interceptor.signal(input, next),
  };
}

/** Logs OpenTelemetry's own problems, such as an unreachable receiver, at most once a minute. */
function complainSeldom(log: Logger): void {
  let quietUntil = 0;
  const complain = (message: string, ...rest: unknown[]): void => {
    if (performance.now() < quietUntil) return;
    quietUntil = performance.now() + quietMs;
    log.warn(`traces: ${[message, ...rest.map(messageOf)].join(' ').slice(0, 500)}`);
  };
  const silent = (): void => undefined;
  diag.setLogger(
    { error: complain, warn: complain, info: silent, debug: silent, verbose: silent },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
}
