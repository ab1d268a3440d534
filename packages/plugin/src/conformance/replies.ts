import type { Reply } from './attempt.js';

/** An answer in Core's error envelope. */
export function refuse(status: number, code: string, message: string, details: object = {}): Reply {
  return { status, body: { error: { code, message, details } } };
}

/** Core's answer to a report that it accepts. */
export function accepted(duplicate: boolean): Reply {
  return { status: 200, body: { accepted: true, duplicate, cancel_requested: false } };
}

/** Core's answer once an attempt is closed. */
export function attemptClosed(reason: 'SETTLED' | 'CANCELLED' | 'TIMED_OUT'): Reply {
  return refuse(409, 'ATTEMPT_CLOSED', 'The attempt is closed.', { reason });
}
