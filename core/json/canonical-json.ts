import { createHash } from 'node:crypto';

/** SHA-256 (hex) of a JSON value with sorted object keys: equal JSON values have equal hashes. */
export function jsonHash(value: unknown): string {
  const hash = createHash('sha256');
  let pending = '';
  // Building a string per level would copy everything below it at each level.
  const write = (text: string): void => {
    pending += text;
    if (pending.length < chunkLength) return;
    hash.update(pending);
    pending = '';
  };
  writeCanonical(value, write);
  return hash.update(pending).digest('hex');
}

/** Characters hashed at once. */
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
