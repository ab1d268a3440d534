import { writeSync } from 'node:fs';
import { isSpanContextValid, trace } from '@opentelemetry/api';
import { pino, stdSerializers, stdTimeFunctions, type Logger, type SerializedError } from 'pino';
import { prettyFactory } from 'pino-pretty';

import { createLineWriter, retryAfter } from '@knowledge-warehouse/plugin/host';
import type { Config } from '../settings/config.js';
import type { LogFields } from './log-fields.js';

export type { Logger } from 'pino';

/** Fields that are redacted on the first two levels of a logged object. */
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

/** Delay before lines that could not be written are retried, in milliseconds. */
const retryMs = 100;

/**
 * Creates the logger of a process. It writes JSON lines (or readable text) to standard output, with ISO times and level
 * names. Every line has the fields of `bindings`, of `fields` for the current work, and of its trace. It never throws:
 * lines that cannot be written are buffered, then dropped, and `onLost` is called for each dropped one.
 */
export function createLogger(
  config: Pick<Config, 'logLevel' | 'logFormat'>,
  bindings: Readonly<Record<string, string>> = {},
  { fields, onLost = () => undefined }: { readonly fields?: LogFields; readonly onLost?: () => void } = {},
): Logger {
  const options = {
    level: config.logLevel,
    base: bindings,
    mixin: () => ({ ...fields?.current(), ...traceAtHand() }),
    timestamp: stdTimeFunctions.isoTime,
    serializers: { err: serializeError },
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: redacted, censor: '[redacted]' },
  };
  // Opening the stream makes a pipe non-blocking: otherwise a reader that stops reading would stop this process.
  const { fd } = process.stdout;
  const lines = createLineWriter({
    writeSome: (bytes) => writeSync(fd, bytes),
    retryLater: retryAfter(retryMs),
    onLost,
    onRecovered: (count) =>
      log.error({ lost_lines: count }, 'lines of this log were lost: they could not be written'),
  });
  const pretty = prettyFactory({
    ignore: Object.keys(bindings).join(','),
    translateTime: 'SYS:HH:MM:ss.l',
  });
  const log = pino(
    options,
    config.logFormat === 'json' ? lines : { write: (line) => lines.write(pretty(line)) },
  );
  return log;
}

/** Pino joins the messages of an error and its causes by colons, also after a full stop. */
function serializeError(error: Error): SerializedError {
  const serialized = stdSerializers.err(error);
  // A message of S3 may be parsed into something other than text.
  if (error instanceof Error && typeof error.message === 'string')
    serialized.message = serialized.message.replace(/(?<!\.)\.: /g, ': ');
  return serialized;
}

function traceAtHand(): { trace_id?: string; span_id?: string } {
  const span = trace.getActiveSpan()?.spanContext();
  return span === undefined || !isSpanContextValid(span)
    ? {}
    : { trace_id: span.traceId, span_id: span.spanId };
}
