import type { Resource } from '@knowledge-warehouse/client';
import type { LiveLines } from '../terminal/live-lines.js';
import { bar, percent, spinner } from '../terminal/progress-bar.js';
import { plain } from '../terminal/text.js';
import { fit, pad } from '../terminal/width.js';
import { bytes } from '../terminal/units.js';
import { liveStateOf, stateOf, waitReasonOf } from './describe.js';

/** Shows the progress of resources: one updating line each or, without a terminal, one line per change. */
export interface Board {
  /** Shows that a file is being uploaded. Returns a callback for the number of bytes sent so far. */
  upload(key: string, label: string, size: number): (sent: number) => void;
  /** Shows the current state of a resource. */
  resource(key: string, label: string, resource: Resource): void;
  /** Prints another event, such as a failed attempt. */
  note(label: string, text: string): void;
  /** Removes the line of something that is finished. */
  remove(key: string): void;
}

interface Entry {
  readonly label: string;
  readonly line: () => string;
  readonly state: string;
}

/** Why a resource waits, as last seen and as last printed. */
interface Wait {
  seen: string;
  printed: string | null;
  timer: NodeJS.Timeout | null;
}

const labelWidth = 32;
/** Without a terminal, the reason for a wait is printed when the wait has lasted this long: most waits are shorter. */
const longWaitMs = 5_000;

export function createBoard(lines: LiveLines): Board {
  const entries = new Map<string, Entry>();
  const waits = new Map<string, Wait>();
  lines.show((room) => {
    // Thousands of lines, formatted ten times a second, would keep a processor busy.
    const count = entries.size > room ? room - 1 : entries.size;
    const shown: string[] = [];
    for (const { label, line } of entries.values()) {
      if (shown.length === count) return [...shown, `… and ${entries.size - count} more`];
      shown.push(`${spinner()} ${pad(fit(label, labelWidth), labelWidth)}  ${line()}`);
    }
    return shown;
  });
  const set = (key: string, label: string, state: string, line: () => string): void => {
    const before = entries.get(key)?.state;
    entries.set(key, { label: plain(label), line, state });
    if (before === state) return;
    endWait(key);
    if (!lines.live) lines.print(`${plain(label)}: ${state}`);
  };
  const endWait = (key: string): void => {
    clearTimeout(waits.get(key)?.timer ?? undefined);
    waits.delete(key);
  };
  const noteWait = (key: string, label: string, reason: string | null): void => {
    if (reason === null) {
      endWait(key);
      return;
    }
    const wait = waits.get(key) ?? { seen: reason, printed: null, timer: null };
    waits.set(key, Object.assign(wait, { seen: reason }));
    if (reason === wait.printed) return;
    wait.timer ??= setTimeout(() => {
      wait.timer = null;
      if (wait.seen === wait.printed) return;
      wait.printed = wait.seen;
      lines.print(`${plain(label)}: ${wait.seen}`);
    }, longWaitMs).unref();
  };
  return {
    upload(key, label, size) {
      const began = Date.now();
      let sent = 0;
      set(key, label, `uploading ${bytes(size)}`, () => {
        const seconds = Math.max((Date.now() - began) / 1000, 0.1);
        const fraction = size === 0 ? 1 : sent / size;
        return `${bar(fraction)} ${percent(fraction)}  ${bytes(sent)} of ${bytes(size)}  ${bytes(sent / seconds)}/s`;
      });
      return (count) => void (sent = count);
    },
    resource(key, label, resource) {
      set(key, label, stateOf(resource), () => liveStateOf(resource));
      if (!lines.live) noteWait(key, label, waitReasonOf(resource));
    },
    note: (label, text) => lines.print(plain(label === '' ? text : `${label}: ${text}`)),
    remove(key) {
      entries.delete(key);
      endWait(key);
    },
  };
}
