import { ApplicationFailure, TemporalFailure } from '@temporalio/common';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { ServiceError } from '../core/errors.js';
import { refusedType } from '../core/states.js';
import type { Logger } from '../runtime/logging/logger.js';
import { OutgoingError } from '../runtime/outgoing/index.js';
import { asDatabaseError } from '../storage/database/connection.js';

/** What a failure may say outside the service: a code and a message without internal text. */
export interface DescribedError {
  readonly code: string;
  readonly message: string;
  /** Trying again would change nothing: the input is refused. */
  readonly final: boolean;
}

/** Describes an error for a resource, a history or an operator. Text of the database, the file system or our own code stays out. */
export function describeError(thrown: unknown): DescribedError {
  const error = asDatabaseError(thrown);
  if (error instanceof ServiceError)
    return { code: error.code, message: error.message, final: error.status < 500 };
  if (error instanceof OutgoingError) return { code: error.code, message: error.message, final: false };
  return { code: 'INTERNAL', message: 'Something went wrong inside the service; see its log.', final: false };
}

/** The failure of what no workflow of Core's own asks for: it is never tried again. */
export function refused(why: string): ApplicationFailure {
  return ApplicationFailure.create({ type: refusedType, message: `Refused: ${why}`, nonRetryable: true });
}

/**
 * The one place that every error of every activity passes on its way to Temporal: an outage of a store gets its code, and
 * no internal text reaches a history or a resource. What was made for Temporal passes as it is.
 */
export function createErrorMapping(log: Logger): ActivityInterceptorsFactory {
  return (context) => ({
    inbound: {
      async execute(input, next) {
        try {
          return await next(input);
        } catch (error) {
          if (error instanceof TemporalFailure) throw error;
          // Whatever a cancelled activity fails with: it ends as cancelled.
          if (context.cancellationSignal.aborted) throw context.cancellationSignal.reason;
          const { code, message, final } = describeError(error);
          const { activityType } = context.info;
          log[code === 'INTERNAL' ? 'error' : 'warn'](
            { err: error, activity: activityType },
            `activity failed: ${code}`,
          );
          throw ApplicationFailure.create({ type: code, message, nonRetryable: final });
        }
      },
    },
  });
}
