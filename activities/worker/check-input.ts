import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { runWorkflowId } from '../../core/ids.js';
import { operationWorkflowId } from '../../core/operations.js';
import type { RunRef } from '../../core/runs/refs.js';
import { cleanUpWorkflowId } from '../../core/runs/run-protocol.js';
import type { AnyPlugin } from '@knowledge-warehouse/plugin';
import { findingsOf, firstReason } from '../../runtime/content/json-schema.js';
import { refused } from '../activity-errors.js';
import { cleanUpActivityType } from '../built-in/clean-up.js';
import type { CoreActivities } from '../index.js';

/** The form of an activity's arguments, and the only workflow that may schedule it. */
interface Check {
  readonly schemas: readonly object[];
  /** Null: the activity itself checks the owner in the tables. */
  readonly workflowId: ((input: never) => string) | null;
}

// Lower case only: another spelling would address the same rows from a different workflow.
const uuid = {
  type: 'string',
  pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
};
const count = { type: 'integer', minimum: 0, maximum: 2 ** 31 - 1 };
const run = { ...count, minimum: 1 };
const text = { type: 'string' };

const objectOf = (properties: Record<string, object>, optional: Record<string, object> = {}): object => ({
  type: 'object',
  required: Object.keys(properties),
  properties: { ...properties, ...optional },
});

const runRef = { resourceId: uuid, run };
const failure = objectOf({
  code: text,
  message: text,
  details: { type: 'object' },
  attempt: { anyOf: [count, { type: 'null' }] },
  retryable: { type: 'boolean' },
  exhausted: { type: 'boolean' },
  cause: { enum: ['ERROR', 'TIMED_OUT', 'INTERRUPTED'] },
});
const event = {
  oneOf: [
    objectOf({ kind: { enum: ['BEGIN', 'CANCEL'] } }),
    objectOf({ kind: { const: 'FETCH_FAILED' }, failure }),
    objectOf({ kind: { const: 'RETURNED' }, index: count }, { attemptBase: count, unreadable: text }),
    objectOf({ kind: { const: 'FAILED' }, index: count, failure }, { attemptBase: count }),
    objectOf(
      { kind: { const: 'REPORTED' }, index: count },
      { attemptBase: count, ended: { type: 'boolean' } },
    ),
    objectOf({ kind: { const: 'DEADLINE' }, index: count, attempt: count }),
  ],
};
const steps = { type: 'array', minItems: 1, maxItems: 50, items: { type: 'object' } };
const cleanUpId = objectOf({ id: uuid });

const ofRun = ({ resourceId, run: number }: RunRef): string => runWorkflowId(resourceId, number);
const ofOperation = ({ operationId }: { readonly operationId: string }): string =>
  operationWorkflowId(operationId);

const coreChecks: { readonly [Name in keyof CoreActivities]: Check } = {
  advanceRun: { schemas: [objectOf({ ...runRef, steps }), event], workflowId: ofRun },
  deliverStep: {
    schemas: [objectOf({ ...runRef, stepIndex: count, attemptBase: count })],
    workflowId: ofRun,
  },
  fetchSource: { schemas: [objectOf(runRef, { failedTries: count })], workflowId: ofRun },
  cancelDelivery: {
    schemas: [objectOf({ ...runRef, stepIndex: count, attempt: count }, { pluginId: text })],
    workflowId: ofRun,
  },
  deleteResourceObjects: { schemas: [objectOf({ resourceId: uuid })], workflowId: cleanUpWorkflowId },
  planCleanUp: { schemas: [objectOf({ resourceId: uuid }, { run })], workflowId: cleanUpWorkflowId },
  carryOutItems: {
    schemas: [objectOf({ operationId: uuid, after: { anyOf: [uuid, { type: 'null' }] } })],
    workflowId: ofOperation,
  },
  endOperation: { schemas: [objectOf({ operationId: uuid })], workflowId: ofOperation },
  deliverCleanUp: { schemas: [cleanUpId], workflowId: null },
  finishCleanUp: { schemas: [cleanUpId], workflowId: null },
  noteCleanUpFailure: { schemas: [objectOf({ id: uuid, error: text })], workflowId: null },
};

const builtInCheck: Check = {
  schemas: [
    objectOf({
      protocol: { const: 'kw.activity/1' },
      resource_id: uuid,
      run,
      step_index: count,
      plugin_id: text,
      attempt_base: count,
    }),
  ],
  workflowId: (message: { readonly resource_id: string; readonly run: number }) =>
    runWorkflowId(message.resource_id, message.run),
};

const builtInCleanUpCheck: Check = {
  schemas: [
    objectOf({
      protocol: { const: 'kw.cleanup/1' },
      reason: { enum: ['RESOURCE_DELETED', 'ARTIFACTS_REMOVED'] },
      resource: objectOf({ id: uuid }),
      run,
      artifacts: { type: 'array', items: objectOf({ artifact_id: uuid, type: text }) },
    }),
  ],
  workflowId: null,
};

/**
 * Refuses, permanently, anything that Core's own workflows do not ask for: any client of Temporal can
 * schedule any activity with any input. The activity checks the rest against the tables. Activities without a
 * check are refused.
 */
export function createInputCheck(plugins: readonly AnyPlugin[]): ActivityInterceptorsFactory {
  const checks = new Map<string, Check>(Object.entries(coreChecks));
  for (const plugin of plugins) {
    checks.set(plugin.id, builtInCheck);
    const cleanUp = cleanUpActivityType(plugin);
    if (cleanUp !== null) checks.set(cleanUp, builtInCleanUpCheck);
  }
  return ({ info }) => ({
    inbound: {
      async execute(input, next) {
        const why = whyRefused(checks.get(info.activityType), input.args, info.workflowExecution?.workflowId);
        if (why !== null) throw refused(why);
        return await next(input);
      },
    },
  });
}

function whyRefused(
  check: Check | undefined,
  args: readonly unknown[],
  workflowId: string | undefined,
): string | null {
  if (check === undefined) return 'the activity has no known input.';
  for (const [position, schema] of check.schemas.entries()) {
    const findings = findingsOf(schema, args[position]);
    if (findings.length > 0) return `argument ${position + 1} is not valid${firstReason(findings)}.`;
  }
  if (workflowId === undefined) return 'no workflow requested it.';
  if (check.workflowId !== null && check.workflowId(args[0] as never) !== workflowId)
    return 'the workflow does not belong to this resource and run.';
  return null;
}
