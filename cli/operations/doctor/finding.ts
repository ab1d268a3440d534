/** The result of checking one dependency of the service. */
export interface Finding {
  /** What was checked, in a word or two. */
  readonly subject: string;
  /** warn: the service works, but not as well as it could, or not for long. fail: it does not. */
  readonly status: 'ok' | 'warn' | 'fail';
  readonly message: string;
  /** How to fix it; null if all is well. */
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
