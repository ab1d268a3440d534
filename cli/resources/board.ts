import type { Resource } from '@knowledge-warehouse/client';
import type { LiveLines } from '../terminal/live-lines.js';
import { bar, percent, spinner } from '../terminal/progress-bar.js';
import { plain } from '../terminal/text.js';
import { fit, pad } from '../terminal/width.js';
import { bytes } from '../terminal/units.js';
import { liveStateOf, stateOf } from './describe.js';

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
  state: string;
}

const labelWidth = 32;

export function createBoard(lines: LiveLines): Board {
  const entries = new Map<string, Entry>();
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
    if (!lines.live && before !== state) lines.print(`${plain(label)}: ${state}`);
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
    resource: (key, label, resource) => set(key, label, stateOf(resource), () => liveStateOf(resource)),
    note: (label, text) => lines.print(plain(label === '' ? text : `${label}: ${text}`)),
    remove: (key) => void entries.delete(key),
  };
}
