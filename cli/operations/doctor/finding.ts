/** The result of checking one dependency of the service. */
export interface Finding {
  /** What was checked, in one or two words. */
  readonly subject: string;
  /** warn: the service works, but with restrictions or not for long. fail: it does not work. */
  readonly status: 'ok' | 'warn' | 'fail';
  readonly message: string;
  /** How to fix it; null if nothing is wrong or the message says so. */
  readonly remedy: string | null;
}

/** Returns functions that create findings about one subject. */
export function about(subject: string): {
  ok(message: string): Finding;
  warn(message: string, remedy: string | null): Finding;
  fail(message: string, remedy: string): Finding;
} {
  return {
    ok: (message) => ({ subject, status: 'ok', message, remedy: null }),
    warn: (message, remedy) => ({ subject, status: 'warn', message, remedy }),
    fail: (message, remedy) => ({ subject, status: 'fail', message, remedy }),
  };
}
