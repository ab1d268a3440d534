import { writeSync } from 'node:fs';
import { inspect } from 'node:util';
import { isNativeError } from 'node:util/types';
import { createLineWriter, retryAfter } from '../line-writer.js';
import { reasonOf, textOf } from '../reason-of.js';
import type { PluginLog } from '../types.js';
import { logLevel } from './settings.js';

/** Milliseconds after which unwritten lines are retried. */
const retryMs = 100;

/** In order of severity. `silent` disables logging. */
const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

type Level = keyof PluginLog;
type Fields = Readonly<Record<string, unknown>>;

/**
 * Creates the log of a worker process on standard error: JSON lines, or readable ones in a terminal. Logging never
 * throws: lines that cannot be written are buffered, then dropped, and a later line reports how many.
 *
 * @throws RangeError if KW_LOG_LEVEL is not a level
 */
export function createWorkerLog(): PluginLog {
  const least = levels.indexOf(logLevel());
  if (least === -1) throw new RangeError(`KW_LOG_LEVEL must be one of ${levels.join(', ')}.`);
  const lines = createLineWriter({
    writeSome: (bytes) => writeSync(2, bytes),
    retryLater: retryAfter(retryMs),
    onLost: () => undefined,
    onRecovered: (count) =>
      log.error({ lost_lines: count }, 'lines of this log were lost: they could not be written'),
  });
  const toLine = process.stderr.isTTY ? toReadable : toJson;
  const write =
    (level: Level) =>
    (fields: Fields, message: string): void => {
      if (levels.indexOf(level) >= least) lines.write(`${toLine(level, fields, message)}\n`);
    };
  const log: PluginLog = { info: write('info'), warn: write('warn'), error: write('error') };
  return log;
}

function toJson(level: Level, fields: Fields, message: string): string {
  const head = { level, time: new Date().toISOString() };
  const whole = stringify({ ...head, ...fields, msg: message });
  if (whole !== undefined) return whole;
  const writable = Object.entries(fields).map(([name, value]) => [
    name,
    stringify(value ?? null) === undefined ? '?' : value,
  ]);
  const rest = stringify({ ...head, ...Object.fromEntries(writable), msg: message });
  return rest ?? JSON.stringify({ ...head, msg: message });
}

function toReadable(level: Level, fields: Fields, message: string): string {
  const time = new Date().toTimeString().slice(0, 8);
  const details = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `\n    ${name}: ${isError(value) ? inspect(value) : (stringify(value) ?? '?')}`);
  return `[${time}] ${level.toUpperCase()}: ${message}${details.join('')}`;
}

/** Returns a value as JSON; undefined if that is impossible, for example because of a cycle. */
function stringify(value: unknown): string | undefined {
  try {
    return JSON.stringify(value, (_, inner: unknown) =>
      isError(inner)
        ? {
            type: inner.name,
            message: reasonOf(inner),
            stack: inner.stack,
            ...Object.fromEntries(Object.entries(inner)),
          }
        : inner,
    );
  } catch {
    return undefined;
  }
}

/** Whether a value is an error, also one of another realm, such as that of a test runner, or a DOMException. */
const isError = (value: unknown): value is Error => isNativeError(value) || value instanceof Error;

const isPlain = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/**
 * Returns a log that adds these fields to each line. In JavaScript, a plugin may also log an error alone, and a text alone
 * or before an error or fields.
 */
export function withFields(log: PluginLog, bound: Fields): PluginLog {
  const write =
    (level: Level): PluginLog[Level] =>
    (given: unknown, message: unknown) => {
      const line = (fields: unknown, text: unknown): void =>
        log[level]({ ...(fields as Fields), ...bound }, textOf(text));
      if (isError(given)) line({ err: given }, message ?? reasonOf(given));
      else if (typeof given === 'object') line(given, message);
      else if (isError(message)) line({ err: message }, given);
      else if (isPlain(message)) line(message, given);
      else line({}, message === undefined ? given : `${textOf(given)} ${textOf(message)}`);
    };
  return { info: write('info'), warn: write('warn'), error: write('error') };
}
