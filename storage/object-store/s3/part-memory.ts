/** Size of the smallest buffer that is kept for reuse. */
const smallest = 64 * 1024;
/** Maximum number of unused bytes that are kept. */
const mostKept = 32 * 1024 * 1024;

/** Rounds up to a quarter of a power of two: buffers can be reused by other uploads, and little of each is wasted. */
function roundUp(bytes: number): number {
  const step = Math.max(smallest, 2 ** Math.floor(Math.log2(bytes)) / 4);
  return Math.ceil(bytes / step) * step;
}

/**
 * A pool of buffers for uploads. Without reuse, memory outside the heap is allocated faster than the garbage collector
 * frees it.
 */
export class PartMemory {
  readonly #free = new Map<number, Buffer[]>();
  #kept = 0;

  /** Returns at least this many bytes of uninitialized memory. */
  take(bytes: number): Buffer {
    const size = roundUp(Math.max(bytes, smallest));
    const found = this.#free.get(size)?.pop();
    if (found === undefined) return Buffer.allocUnsafeSlow(size);
    this.#kept -= size;
    return found;
  }

  /** Returns a buffer from `take` that is no longer used. */
  giveBack(memory: Buffer): void {
    const size = memory.length;
    if (this.#kept + size > mostKept) return;
    this.#kept += size;
    const free = this.#free.get(size);
    if (free === undefined) this.#free.set(size, [memory]);
    else free.push(memory);
  }
}
