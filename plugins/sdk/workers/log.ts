import { destination, pino, stdTimeFunctions } from 'pino';
import { PinoPretty } from 'pino-pretty';
import type { PluginLog } from '../types.js';
import { logLevel } from './settings.js';

/** The log of a worker's process, on standard error: JSON lines, readable ones where a person looks on. */
export function createWorkerLog(): PluginLog {
  const options = {
    level: logLevel(),
    base: {},
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  if (!process.stderr.isTTY) return pino(options, destination({ dest: 2, sync: true }));
  return pino(options, PinoPretty({ destination: 2, sync: true, translateTime: 'SYS:HH:MM:ss.l' }));
}

/** A log whose lines carry these fields. */
export function withFields(log: PluginLog, bound: Readonly<Record<string, unknown>>): PluginLog {
  return {
    info: (fields, message) => log.info({ ...bound, ...fields }, message),
    warn: (fields, message) => log.warn({ ...bound, ...fields }, message),
    error: (fields, message) => log.error({ ...bound, ...fields }, message),
  };
}
