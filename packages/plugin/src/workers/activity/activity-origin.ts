import { AsyncLocalStorage } from 'node:async_hooks';
import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { requestIdHeader } from '../../protocol/step.js';
import { readOrigin, withinTrace, type Origin } from '../origin.js';

/** The header in which Temporal's OpenTelemetry interceptors propagate a trace. */
const traceHeader = '_tracer-data';

/** Reads the origins of a worker's activities from their headers, which an activity itself cannot access. */
export interface ActivityOrigins {
  readonly interceptor: ActivityInterceptorsFactory;
  current(): Origin;
}

export function createActivityOrigins(): ActivityOrigins {
  const origins = new AsyncLocalStorage<Origin>();
  return {
    interceptor: () => ({
      inbound: {
        execute(input, next) {
          const origin = readHeaders(input.headers);
          return origins.run(origin, () => withinTrace(origin, () => next(input)));
        },
      },
    }),
    current: () => origins.getStore() ?? {},
  };
}

function readHeaders(headers: Headers): Origin {
  const read = (name: string): unknown => {
    const payload = headers[name];
    return payload === undefined ? undefined : defaultPayloadConverter.fromPayload(payload);
  };
  const traceContext = (read(traceHeader) ?? {}) as Record<string, string>;
  const requestId = read(requestIdHeader) as string | undefined;
  return readOrigin({ ...traceContext, 'x-request-id': requestId });
}
