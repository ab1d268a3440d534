/**
 * A moment that this process waits for, on its monotonic clock: neither a wrong system time nor one that is set while the
 * process waits moves it.
 */
export class Deadline {
  readonly #at: number;

  /** @param remainingMs Milliseconds from now, as the clock that set the deadline measured them. */
  constructor(remainingMs: number) {
    this.#at = performance.now() + remainingMs;
  }

  /** Milliseconds from now; 0 once it has passed. */
  get remainingMs(): number {
    return Math.max(0, this.#at - performance.now());
  }

  /** The same by this process's system time, for those who compare it with that. */
  toDate(): Date {
    return new Date(Date.now() + this.remainingMs);
  }
}
