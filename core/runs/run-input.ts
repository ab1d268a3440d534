import {
  isReadingQueue,
  type CleanUpResourceInput,
  type ProcessResourceInput,
  type RunInstruction,
  type StepSnapshot,
} from './run-protocol.js';

/*
 * Validates the inputs of workflows. Any client of Temporal can start a workflow with any input, and an error
 * that a workflow throws because of its input fails its task again and again.
 */

type Unknown = Readonly<Record<string, unknown>>;

const id = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const mostSteps = 50;
/** Characters of a name, a type or a URL. */
const longestText = 4_000;

/** Whether a value is the input of the workflow `processResource`. */
export function isProcessResourceInput(value: unknown): value is ProcessResourceInput {
  if (!isObject(value) || !isId(value['resourceId']) || !isWithin(value['run'], 1)) return false;
  const { steps, first } = value;
  return isSteps(steps) && (first === undefined || isRunInstruction(first, steps));
}

/** Whether a value is the input of the workflow `cleanUpResource`. */
export function isCleanUpResourceInput(value: unknown): value is CleanUpResourceInput {
  if (!isObject(value) || !isId(value['resourceId'])) return false;
  return value['run'] === undefined || isWithin(value['run'], 1);
}

/** Whether two snapshots of a run's steps are the same. */
export function areSameSteps(one: readonly StepSnapshot[], other: readonly StepSnapshot[]): boolean {
  return one.length === other.length && one.every((step, position) => isSameStep(step, other[position]));
}

/**
 * Whether a value is a resource id in Core's spelling. Another spelling would address the same rows from a
 * different workflow.
 */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && id.test(value);
}

const compared = [
  'index',
  'plugin_id',
  'kind',
  'task_queue',
  'activity_type',
  'endpoint',
  'heartbeat_seconds',
  'max_attempts',
  'backoff_seconds',
  'timeout_seconds',
] as const satisfies readonly (keyof StepSnapshot)[];

function isSameStep(one: StepSnapshot, other: StepSnapshot | undefined): boolean {
  return other !== undefined && compared.every((key) => one[key] === other[key]);
}

function isSteps(value: unknown): value is readonly StepSnapshot[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > mostSteps) return false;
  const steps: readonly unknown[] = value;
  return (
    steps.every((step) => isStep(step)) && new Set(steps.map((step) => step.index)).size === steps.length
  );
}

function isStep(value: unknown): value is StepSnapshot {
  if (!isObject(value)) return false;
  const isReachable =
    value['kind'] === 'http'
      ? isText(value['endpoint'])
      : value['kind'] === 'activity' && isText(value['task_queue']) && isText(value['activity_type']);
  return (
    isReachable &&
    isText(value['plugin_id']) &&
    isWithin(value['index'], 0) &&
    isWithin(value['max_attempts'], 1) &&
    isSeconds(value['backoff_seconds']) &&
    isSeconds(value['timeout_seconds']) &&
    (value['heartbeat_seconds'] === null || isSeconds(value['heartbeat_seconds']))
  );
}

/** Whether a value is an instruction to execute one of these steps. */
export function isRunInstruction(value: unknown, steps: readonly StepSnapshot[]): value is RunInstruction {
  return (
    isObject(value) &&
    value['do'] === 'RUN' &&
    steps.some((step) => step.index === value['index']) &&
    isWithin(value['attemptBase'], 0) &&
    isWithin(value['attemptsLeft'], 1) &&
    isMilliseconds(value['delayMs']) &&
    isText(value['coreUrl']) &&
    (value['queue'] === undefined || isReadingQueue(value['queue']))
  );
}

export function isObject(value: unknown): value is Unknown {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const isText = (value: unknown): boolean =>
  typeof value === 'string' && value.length > 0 && value.length <= longestText;

export const isWithin = (value: unknown, least: number): value is number =>
  Number.isSafeInteger(value) && (value as number) >= least && (value as number) < 2 ** 31;

/** Not negative, but possibly fractional: the rest of a deadline is measured on a finer clock. */
export const isMilliseconds = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value < 2 ** 53;

const isSeconds = (value: unknown): boolean => typeof value === 'number' && value >= 0 && value <= 604_800;
