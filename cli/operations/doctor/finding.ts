/** What was found of one thing that the service needs. */
export interface Finding {
  /** What was looked at, in a word or two. */
  readonly subject: string;
  /** warn: the service works, but not as well as it could, or not for long. fail: it does not. */
  readonly status: 'ok' | 'warn' | 'fail';
  readonly message: string;
  /** What to do about it; null where all is well. */
  readonly remedy: string | null;
}

/** Makes the findings about one subject. */
export function about(subject: string): {
  ok(message: string): Finding;
  warn(message: string, remedy: string): Finding;
  fail(message: string, remedy: string): Finding;
} {
  return {
    ok: (message) => ({ subject, status: 'ok', message, remedy: null }),
    warn: (message, remedy) => ({ subject, status: 'warn', message, remedy }),
    fail: (message, remedy) => ({ subject, status: 'fail', message, remedy }),
  };
}
