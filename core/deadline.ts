/** A deadline on this process's monotonic clock. Changes of the system time do not move it. */
export class Deadline {
  readonly #at: number;

  /** @param remainingMs Milliseconds from now, measured by the clock that set the deadline. */
  constructor(remainingMs: number) {
    this.#at = performance.now() + remainingMs;
  }

  /** Milliseconds left; 0 once the deadline has passed. */
  get remainingMs(): number {
    return Math.max(0, this.#at - performance.now());
  }

  /** The deadline in this process's system time, for comparison with other system times. */
  toDate(): Date {
    return new Date(Date.now() + this.remainingMs);
  }
}
