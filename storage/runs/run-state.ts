import { nextStep, type StepToDo } from '../../core/runs/next-step.js';
import type { Db } from '../database/connection.js';
import type { JsonRow } from '../database/json-text.js';
import { prepared } from '../database/prepared.js';
import {
  attemptFromJson,
  runFromJson,
  stepFromJson,
  type Attempt,
  type AttemptRow,
  type Run,
  type RunRow,
  type Step,
  type StepRow,
} from './runs.js';

/** A step, with everything that determines what happens to it next. */
export interface StepState extends Step, StepToDo {
  readonly newest: Attempt | null;
  /** Whether the run must still be signalled about a report of one of its attempts. */
  readonly is_signal_due: boolean;
}

/** A run with its steps, in order. */
export interface RunState extends Run {
  /** The database's time at the read, for comparison with the other times. */
  readonly now: Date;
  readonly steps: readonly StepState[];
}

type StepStateRow = Pick<StepState, 'is_signal_due' | 'is_plugin_active'> & {
  readonly step: JsonRow<StepRow>;
  readonly newest: JsonRow<AttemptRow> | null;
};

const readState = prepared<{
  readonly now: Date;
  readonly run: JsonRow<RunRow>;
  readonly steps: readonly StepStateRow[] | null;
}>(
  'read_run_state',
  `select clock_timestamp() as now, to_json(u) as run, (
     select json_agg(json_build_object('step', s, 'newest', a, 'is_plugin_active', p.is_active,
         'is_signal_due', exists (
           select from attempts d where d.resource_id = s.resource_id and d.run = s.run and d.step_index = s.index
             and d.signal_due_at is not null)) order by s.index)
     from steps s
     left join plugins p on p.id = s.plugin_id
     left join lateral (
       select * from attempts n where n.resource_id = s.resource_id and n.run = s.run and n.step_index = s.index
       order by n.number desc limit 1) a on true
     where s.resource_id = u.resource_id and s.run = u.run) as steps
   from runs u where u.resource_id = ? and u.run = ?`,
);

/**
 * Reads one run with everything that determines its next step, or null. A single statement, regardless of the number of
 * steps.
 */
export async function readRunState(db: Db, resourceId: string, run: number): Promise<RunState | null> {
  const [row] = await readState(db, [resourceId, run]);
  if (row === undefined) return null;
  return {
    ...runFromJson(row.run),
    now: row.now,
    steps: (row.steps ?? []).map(({ step, newest, ...rest }) => ({
      ...stepFromJson(step),
      newest: newest === null ? null : attemptFromJson(newest),
      ...rest,
    })),
  };
}

/** Whether a step has started and not ended. */
export const isOngoing = ({ status }: StepState): boolean => status === 'RUNNING' || status === 'RETRYING';

/**
 * Whether a step is current: it is ongoing, or it is the next to start. Its worker may claim it before the row says so.
 */
export function isAtWork(run: RunState, step: StepState): boolean {
  if (isOngoing(step)) return true;
  const next = nextStep(run);
  return (next.do === 'BEGIN' || next.do === 'REFUSE') && next.step === step;
}

/** The run as it will be once this step is completed. */
export function withCompleted(run: RunState, index: number): RunState {
  const steps = run.steps.map((step) =>
    step.index === index ? { ...step, status: 'COMPLETED' as const } : step,
  );
  return { ...run, steps };
}
