import { destination, pino, stdTimeFunctions, type Logger } from 'pino';
import { isSpanContextValid, trace } from '@opentelemetry/api';
import { PinoPretty } from 'pino-pretty';

import type { Config } from './config.js';
import type { LogFields } from './log-fields.js';

export type { Logger } from 'pino';

/** Fields that never reach a log, wherever a logged object holds them at the first two levels. */
const secretFields = [
  'authorization',
  'cookie',
  'set-cookie',
  'password',
  'secret',
  'secrets',
  'token',
  'apiKey',
  'api_key',
  'login_token',
  'signing_secret',
  'secretAccessKey',
  'databaseUrl',
  'DATABASE_URL',
  'KW_SECRET',
];

const redacted = secretFields.flatMap((field) => {
  const quoted = `["${field}"]`;
  return [quoted, `*${quoted}`, `*.headers${quoted}`];
});

/**
 * The logger of a process: lines of JSON (or readable text) on its standard output, with ISO times and the level as
 * a word; what `bindings` names stands on every line, and so does what `fields` says of the work at hand, with the trace
 * it belongs to.
 */
export function createLogger(
  config: Pick<Config, 'logLevel' | 'logFormat'>,
  bindings: Readonly<Record<string, string>> = {},
  fields?: LogFields,
): Logger {
  const options = {
    level: config.logLevel,
    base: bindings,
    mixin: () => ({ ...fields?.current(), ...traceAtHand() }),
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: redacted, censor: '[redacted]' },
  };
  if (config.logFormat === 'json') return pino(options, destination({ dest: 1, sync: true }));
  return pino(
    options,
    PinoPretty({ sync: true, ignore: Object.keys(bindings).join(','), translateTime: 'SYS:HH:MM:ss.l' }),
  );
}

function traceAtHand(): { trace_id?: string; span_id?: string } {
  const span = trace.getActiveSpan()?.spanContext();
  return span === undefined || !isSpanContextValid(span)
    ? {}
    : { trace_id: span.traceId, span_id: span.spanId };
}
