import assert from 'node:assert/strict';
import { isRunByCore, nextStep, type NextStep, type StepToDo } from '../../core/runs/next-step.js';
import type { StepStatus } from '../../core/states.js';

type Row = readonly [
  name: string,
  sourceReady: boolean,
  steps: readonly (StepStatus | 'INACTIVE' | 'UNREGISTERED')[],
  does: NextStep<StepToDo>['do'],
  at?: number,
];

const table: readonly Row[] = [
  ['a new run', true, ['PENDING', 'PENDING'], 'BEGIN', 0],
  ['a run whose first step completed', true, ['COMPLETED', 'PENDING'], 'BEGIN', 1],
  ['a run whose source is still to be fetched', false, ['PENDING'], 'FETCH', 0],
  ['a resumed run whose source was never fetched', false, ['COMPLETED', 'PENDING'], 'FETCH', 1],
  ['a run at work', true, ['COMPLETED', 'RUNNING', 'PENDING'], 'CONTINUE', 1],
  ['a run that pauses before another attempt', true, ['RETRYING'], 'CONTINUE', 0],
  ['a run whose next plugin is inactive', true, ['COMPLETED', 'INACTIVE'], 'REFUSE', 1],
  ['a run whose next plugin is gone', true, ['UNREGISTERED', 'PENDING'], 'REFUSE', 0],
  ['a run at work, with a later plugin inactive', true, ['RUNNING', 'INACTIVE'], 'CONTINUE', 0],
  ['a run whose source is missing, with its plugin inactive', false, ['INACTIVE'], 'FETCH', 0],
  ['a run whose steps are all completed', true, ['COMPLETED', 'COMPLETED'], 'COMPLETE'],
];

describe('the next step of a run', () => {
  for (const [name, source_ready, statuses, does, at] of table) {
    it(`of ${name} is ${does}${at === undefined ? '' : ` at step ${at}`}`, () => {
      const steps = statuses.map(toStep);
      const next = nextStep({ source_ready, steps });
      assert.equal(next.do, does);
      assert.equal(next.do === 'COMPLETE' ? undefined : steps.indexOf(next.step), at);
    });
  }

  it('is executed by Core for HTTP plugins and for built-in ones', () => {
    const by = (kind: 'http' | 'activity', task_queue: string | null): boolean =>
      isRunByCore({ kind, task_queue });
    assert.deepEqual(
      [by('http', null), by('activity', 'kw-core'), by('activity', 'kw-core-texts'), by('activity', 'mine')],
      [true, true, false, false],
    );
  });
});

function toStep(status: Row[2][number]): StepToDo {
  if (status === 'INACTIVE') return { status: 'PENDING', is_plugin_active: false };
  if (status === 'UNREGISTERED') return { status: 'PENDING', is_plugin_active: null };
  return { status, is_plugin_active: true };
}
