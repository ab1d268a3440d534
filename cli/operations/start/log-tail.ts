import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';

import { parseJson } from '@knowledge-warehouse/plugin/protocol';
import { plain } from '../../terminal/text.js';

const pollMs = 200;

/** Follows a log file and calls `onLine` for each complete new line. Returns a function that stops following. */
export function followLog(path: string, onLine: (line: string) => void): () => void {
  let position = existsSync(path) ? statSync(path).size : 0;
  let rest = Buffer.alloc(0);
  const buffer = Buffer.alloc(64 * 1024);
  const poll = (): void => {
    if (!existsSync(path)) return;
    const size = statSync(path).size;
    if (size < position) position = 0;
    if (size === position) return;
    const file = openSync(path, 'r');
    try {
      for (let read = 1; read > 0;) {
        read = readSync(file, buffer, 0, buffer.length, position);
        position += read;
        rest = Buffer.concat([rest, buffer.subarray(0, read)]);
      }
    } finally {
      closeSync(file);
    }
    const end = rest.lastIndexOf(0x0a);
    const lines = rest
      .subarray(0, end + 1)
      .toString()
      .split('\n')
      .slice(0, -1);
    rest = rest.subarray(end + 1);
    lines.forEach(onLine);
  };
  const timer = setInterval(poll, pollMs);
  return () => {
    clearInterval(timer);
    poll();
  };
}

interface LogLine {
  readonly level?: string;
  readonly time?: string;
  readonly msg?: string;
  readonly err?: { readonly message?: string };
}

const shownLevels = new Set(['warn', 'error', 'fatal']);

/** Fields that are of no use in a terminal. */
const hidden = new Set(['level', 'time', 'msg', 'err', 'process', 'pid', 'hostname']);

/**
 * Formats a line of a process's log for the terminal; null if it is not a warning or an error. A line that is
 * not JSON comes from a crash or a library and is always shown. Errors may contain texts of a plugin's worker, so no
 * control sequence is kept.
 */
export function readable(processName: string, line: string): string | null {
  const parsed = parse(line);
  if (parsed === null) return line.trim() === '' ? null : plain(`  ${processName}: ${line}`);
  if (!shownLevels.has(parsed.level ?? '')) return null;
  const time = parsed.time?.slice(11, 19) ?? '';
  const fields = Object.entries(parsed)
    .filter(([key]) => !hidden.has(key))
    .map(([key, value]) => ` ${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('');
  return plain(`  ${time} ${processName} ${parsed.level ?? ''}: ${messageOf(parsed)}${fields}`);
}

/** Returns why a process did not start: the last error in its log, or else the last line, without control sequences. */
export function lastWords(log: string): string {
  const lines = log.split('\n').filter((line) => line.trim() !== '');
  const errors = lines.map(parse).filter((line) => line !== null && /^(error|fatal)$/.test(line.level ?? ''));
  const last = errors.at(-1);
  if (last) return plain(messageOf(last));
  const thrown = lines.findLast((line) => /^\w*Error\b.*: /.test(line));
  return plain(thrown ?? lines.at(-1) ?? 'it wrote no log');
}

function messageOf(line: LogLine): string {
  const { msg = '', err } = line;
  return err?.message === undefined || err.message === msg ? msg : `${msg}: ${err.message}`;
}

const parse = (line: string): LogLine | null =>
  line.startsWith('{') ? ((parseJson(line) as LogLine | undefined) ?? null) : null;
