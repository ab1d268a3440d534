import { ApplicationFailure, TemporalFailure } from '@temporalio/common';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { ServiceError } from '../core/errors.js';
import { refusedType } from '../core/states.js';
import type { Logger } from '../runtime/logging/logger.js';
import { OutgoingError } from '../runtime/outgoing/index.js';
import { asDatabaseError } from '../storage/database/connection.js';

/** The part of an error that may leave the service: a code and a message without internal details. */
export interface DescribedError {
  readonly code: string;
  readonly message: string;
  /** Do not retry: the input is refused. */
  readonly final: boolean;
}

/**
 * Describes an error for a resource, a history or an operator. Leaves out texts of the database, the file
 * system and our own code.
 */
export function describeError(thrown: unknown): DescribedError {
  const error = asDatabaseError(thrown);
  if (error instanceof ServiceError)
    return { code: error.code, message: error.message, final: error.status < 500 };
  if (error instanceof OutgoingError) return { code: error.code, message: error.message, final: false };
  return { code: 'INTERNAL', message: 'An internal error occurred; see the service log.', final: false };
}

/** The non-retryable failure for requests that do not come from one of Core's workflows. */
export function refused(why: string): ApplicationFailure {
  return ApplicationFailure.create({ type: refusedType, message: `Refused: ${why}`, nonRetryable: true });
}

/**
 * Maps every activity error on its way to Temporal: a store outage gets its code, and no internal text
 * reaches a history or a resource. Errors made for Temporal pass unchanged.
 */
export function createErrorMapping(log: Logger): ActivityInterceptorsFactory {
  return (context) => ({
    inbound: {
      async execute(input, next) {
        try {
          return await next(input);
        } catch (error) {
          if (error instanceof TemporalFailure) throw error;
          // A cancelled activity ends as cancelled, whatever it throws.
          if (context.cancellationSignal.aborted) throw context.cancellationSignal.reason;
          const { code, message, final } = describeError(error);
          const level = code === 'INTERNAL' ? 'error' : 'warn';
          log[level]({ err: error, activity: context.info.activityType }, `activity failed: ${code}`);
          throw ApplicationFailure.create({ type: code, message, nonRetryable: final });
        }
      },
    },
  });
}
