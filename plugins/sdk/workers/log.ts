import { writeSync } from 'node:fs';
import { pino, stdTimeFunctions } from 'pino';
import { prettyFactory } from 'pino-pretty';
import { createLineWriter, retryAfter } from '../../../core/line-writer.js';
import type { PluginLog } from '../types.js';
import { logLevel } from './settings.js';

/** Milliseconds after which lines that could not be written are tried again. */
const retryMs = 100;

/**
 * The log of a worker's process, on standard error: JSON lines, readable ones where a person looks on. It never throws:
 * lines that cannot be written wait, then are lost, and a later line says how many.
 */
export function createWorkerLog(): PluginLog {
  const options = {
    level: logLevel(),
    base: {},
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const lines = createLineWriter({
    writeSome: (bytes) => writeSync(2, bytes),
    retryLater: retryAfter(retryMs),
    onLost: () => undefined,
    onRecovered: (count) =>
      log.error({ lost_lines: count }, 'lines of this log were lost: they could not be written'),
  });
  const pretty = prettyFactory({ translateTime: 'SYS:HH:MM:ss.l' });
  const log = pino(options, process.stderr.isTTY ? { write: (line) => lines.write(pretty(line)) } : lines);
  return log;
}

/** A log whose lines carry these fields. */
export function withFields(log: PluginLog, bound: Readonly<Record<string, unknown>>): PluginLog {
  return {
    info: (fields, message) => log.info({ ...bound, ...fields }, message),
    warn: (fields, message) => log.warn({ ...bound, ...fields }, message),
    error: (fields, message) => log.error({ ...bound, ...fields }, message),
  };
}
