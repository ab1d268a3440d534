import { defaultPayloadConverter } from '@temporalio/common';
import type { ActivityExecuteInput, ActivityInterceptorsFactory } from '@temporalio/worker';
import type { Info } from '@temporalio/activity';
import { requestIdHeader } from '@knowledge-warehouse/plugin/protocol';
import type { Fields, LogFields } from '../../runtime/logging/log-fields.js';

/**
 * The fields of an activity's first argument that identify its subject, in Core's names or the protocol's.
 */
interface Argument {
  readonly resourceId?: string;
  readonly resource_id?: string;
  readonly resource?: { readonly id: string };
  readonly run?: number;
  readonly stepIndex?: number;
  readonly step_index?: number;
  readonly plugin_id?: string;
  readonly attemptBase?: number;
  readonly attempt_base?: number;
  readonly attempt?: number;
}

/** Adds the run, step, attempt and request to every log line of an activity. */
export function createLogContext(logFields: LogFields): ActivityInterceptorsFactory {
  return ({ info }) => {
    let fields: Fields = {};
    return {
      inbound: {
        execute(input, next) {
          fields = fieldsOf(info, input);
          return logFields.during(fields, () => next(input));
        },
      },
      // The SDK's own log lines about the activity.
      outbound: {
        getLogAttributes: ({ attempt: temporal_attempt, ...input }, next) =>
          next({ ...input, temporal_attempt, ...fields }),
      },
    };
  };
}

function fieldsOf(info: Info, { args, headers }: ActivityExecuteInput): Fields {
  const about = (typeof args[0] === 'object' && args[0] !== null ? args[0] : {}) as Argument;
  const base = about.attemptBase ?? about.attempt_base;
  const request = headers[requestIdHeader];
  return {
    request_id: request === undefined ? undefined : defaultPayloadConverter.fromPayload<string>(request),
    workflow_id: info.workflowExecution?.workflowId,
    resource_id: about.resourceId ?? about.resource_id ?? about.resource?.id,
    run: about.run,
    step_index: about.stepIndex ?? about.step_index,
    attempt: base === undefined ? about.attempt : base + info.attempt,
    plugin: about.plugin_id,
  };
}
