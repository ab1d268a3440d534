const lateError = { code: 'STEP_TIMED_OUT', message: 'The attempt did not end in time.', details: {} };

/** The attempt at the first step of the handbook. */
export const attempt = {
  run: 1,
  step_index: 0,
  number: 1,
  started_at: '2025-11-20T09:30:00.702Z',
  accepted_at: null,
  deadline: '2025-11-20T09:40:00.702Z',
  finished_at: '2025-11-20T09:30:02.791Z',
  outcome: 'SUCCESS',
  error: null,
  retry_at: null,
};

/** An attempt of the second run that timed out. */
export const lateAttempt = {
  ...attempt,
  run: 2,
  started_at: '2025-11-20T10:15:00.400Z',
  deadline: '2025-11-20T10:25:00.400Z',
  finished_at: '2025-11-20T10:25:00.410Z',
  outcome: 'TIMED_OUT',
  error: lateError,
  retry_at: '2025-11-20T10:25:05.410Z',
};
