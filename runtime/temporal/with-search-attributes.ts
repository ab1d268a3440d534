import type { Connection, WorkflowStartOptions } from '@temporalio/client';
import type { TypedSearchAttributes } from '@temporalio/common';
import { messageOf } from '../../core/errors.js';
import { attributeRefusal, registerSearchAttributes } from './search-attributes.js';

/** Starts a workflow with search attributes by calling `begin`, or again without them if the namespace rejects them. */
export type WithSearchAttributes = <T>(
  workflowId: string,
  attributes: TypedSearchAttributes,
  begin: (given: Pick<WorkflowStartOptions, 'typedSearchAttributes'>) => Promise<T>,
) => Promise<T>;

/**
 * Creates that function for a process. After a rejection it registers the missing attributes; if that is not permitted,
 * starts omit search attributes for `pauseMs` milliseconds.
 */
export function createWithSearchAttributes(options: {
  readonly connection: Connection;
  readonly namespace: string;
  readonly pauseMs: number;
  readonly warn: (message: string) => void;
}): WithSearchAttributes {
  const { connection, namespace, warn } = options;
  /** Monotonic time. */
  let pausedUntil = 0;
  let asking = false;

  const askForAttributes = async (): Promise<void> => {
    if (asking) return;
    asking = true;
    const warning = await registerSearchAttributes(connection, namespace).catch(messageOf);
    asking = false;
    if (warning === null) return;
    pausedUntil = performance.now() + options.pauseMs;
    warn(warning);
  };

  return async (workflowId, attributes, begin) => {
    if (performance.now() >= pausedUntil) {
      try {
        return await begin({ typedSearchAttributes: attributes });
      } catch (error) {
        const refusal = attributeRefusal(error);
        if (refusal === null) throw error;
        warn(`${workflowId} starts without search attributes: ${refusal}`);
        void askForAttributes();
      }
    }
    return await begin({});
  };
}
