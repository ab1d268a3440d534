/** Bytes of the smallest piece of memory that is kept. */
const smallest = 64 * 1024;
/** Bytes that are kept at most while nothing needs them. */
const mostKept = 32 * 1024 * 1024;

/**
 * Memory that uploads are gathered in, used again from one to the next: what lies outside the heap is left to the garbage
 * collector faster than it comes round.
 */
export class PartMemory {
  readonly #free = new Map<number, Buffer[]>();
  #kept = 0;

  /** Memory of so many bytes at least, with anything in it: the next power of two. */
  take(bytes: number): Buffer {
    const size = 2 ** Math.ceil(Math.log2(Math.max(bytes, smallest)));
    const found = this.#free.get(size)?.pop();
    if (found === undefined) return Buffer.allocUnsafeSlow(size);
    this.#kept -= size;
    return found;
  }

  /** Takes back what `take` gave and nobody reads or writes any more. */
  giveBack(memory: Buffer): void {
    const size = memory.length;
    if (this.#kept + size > mostKept) return;
    this.#kept += size;
    const free = this.#free.get(size);
    if (free === undefined) this.#free.set(size, [memory]);
    else free.push(memory);
  }
}
