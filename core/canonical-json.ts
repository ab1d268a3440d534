import { createHash } from 'node:crypto';

/** SHA-256 in hex of a JSON value with the keys of objects in one order: equal for values that are equal as JSON. */
export function jsonHash(value: unknown): string {
  const hash = createHash('sha256');
  let pending = '';
  // Each level that put its own text together would copy all that is below it.
  const write = (text: string): void => {
    pending += text;
    if (pending.length < chunkLength) return;
    hash.update(pending);
    pending = '';
  };
  writeCanonical(value, write);
  return hash.update(pending).digest('hex');
}

/** Characters that are hashed at once. */
const chunkLength = 64 * 1024;

function writeCanonical(value: unknown, write: (text: string) => void): void {
  if (Array.isArray(value)) {
    write('[');
    value.forEach((item, at) => {
      if (at > 0) write(',');
      writeCanonical(item, write);
    });
    write(']');
  } else if (typeof value === 'object' && value !== null) {
    write('{');
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .forEach(([key, item], at) => {
        write(`${at > 0 ? ',' : ''}${JSON.stringify(key)}:`);
        writeCanonical(item, write);
      });
    write('}');
  } else write(JSON.stringify(value));
}
