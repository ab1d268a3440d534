/** Bytes of the smallest piece of memory that is kept. */
const smallest = 64 * 1024;
/** Bytes that are kept at most while nothing needs them. */
const mostKept = 32 * 1024 * 1024;

/** Sizes come in steps of a quarter of a power of two: pieces fit one another's uploads, and little of each is idle. */
function roundUp(bytes: number): number {
  const step = Math.max(smallest, 2 ** Math.floor(Math.log2(bytes)) / 4);
  return Math.ceil(bytes / step) * step;
}

/**
 * Memory that uploads are gathered in, used again from one to the next: what lies outside the heap is left to the garbage
 * collector faster than it comes round.
 */
export class PartMemory {
  readonly #free = new Map<number, Buffer[]>();
  #kept = 0;

  /** Returns at least this many bytes of uninitialised memory. */
  take(bytes: number): Buffer {
    const size = roundUp(Math.max(bytes, smallest));
    const found = this.#free.get(size)?.pop();
    if (found === undefined) return Buffer.allocUnsafeSlow(size);
    this.#kept -= size;
    return found;
  }

  /** Returns memory from `take` that is no longer used. */
  giveBack(memory: Buffer): void {
    const size = memory.length;
    if (this.#kept + size > mostKept) return;
    this.#kept += size;
    const free = this.#free.get(size);
    if (free === undefined) this.#free.set(size, [memory]);
    else free.push(memory);
  }
}
