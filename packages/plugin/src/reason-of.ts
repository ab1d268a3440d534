import { inspect } from 'node:util';

/** Returns anything as text, since JavaScript may pass any value where a type asks for a text; '' for undefined and null. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : inspect(value, { depth: 1 });
}

/** The maximum number of errors and causes whose messages are joined. */
const mostReasons = 10;

/**
 * Returns the message of anything that was thrown, with those of its causes: `fetch` says only "fetch failed", and the
 * reason is in its cause.
 */
export function reasonOf(thrown: unknown): string {
  const reasons: string[] = [];
  const open: unknown[] = [thrown];
  for (let left = mostReasons; left > 0 && open.length > 0; left--) {
    const next = open.shift();
    const { message, cause, errors } = Object(next) as Record<'message' | 'cause' | 'errors', unknown>;
    const reason = textOf(typeof message === 'string' ? message : next);
    if (reason !== '' && !reasons.some((each) => each.includes(reason))) reasons.push(reason);
    if (Array.isArray(errors)) open.push(...(errors as unknown[]));
    if (cause !== undefined && cause !== null) open.push(cause);
  }
  return reasons.join(': ');
}
