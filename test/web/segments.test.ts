import assert from 'node:assert/strict';
import type { Attempt, Step } from '@knowledge-warehouse/client';
import { formatClock } from '../../web/src/parts/format.js';
import { segmentsOf, sumUp } from '../../web/src/views/resource/timeline/segments.js';

const time = (seconds: number): string => new Date(seconds * 1_000).toISOString();
const step = (values: Partial<Step>): Step =>
  ({ started_at: time(0), finished_at: time(60), queue_seconds: null, waiting_for: null, ...values }) as Step;

/** The seconds of running and of waiting. */
const told = (values: Partial<Step>, attempts: readonly Partial<Attempt>[] = []): readonly number[] => {
  const { running, waiting } = sumUp(segmentsOf(step(values), attempts as readonly Attempt[]), 0);
  return [running / 1_000, waiting / 1_000];
};

describe('the timeline of a step', () => {
  it('shows all of its time as running or waiting, also after a cancel', () => {
    assert.deepEqual(told({ status: 'COMPLETED', queue_seconds: 20 }), [40, 20]);
    assert.deepEqual(told({ status: 'CANCELLED' }), [0, 60]);
    const failed = { started_at: time(5), accepted_at: null, finished_at: time(15), retry_at: time(25) };
    assert.deepEqual(told({ status: 'CANCELLED', queue_seconds: 5 }, [failed]), [10, 50]);
    const cancelled = { ...failed, finished_at: time(60), retry_at: null };
    assert.deepEqual(told({ status: 'CANCELLED', queue_seconds: 5 }, [cancelled]), [55, 5]);
  });

  it('counts the hours of its clocks from 0 to 23', () => {
    const clocks = [0, 1, 12, 23].map((hour) => formatClock(new Date(2026, 0, 2, hour, 5, 6)));
    assert.deepEqual(clocks, ['00:05:06', '01:05:06', '12:05:06', '23:05:06']);
  });
});
