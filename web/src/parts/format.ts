// A formatter takes far longer to create than to use, and a list uses it hundreds of times.
const wholes = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const tenths = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const times = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' });
// With `hour12: false`, some browsers count the hours of English times from 1 to 24.
const clocks = new Intl.DateTimeFormat('en', { hourCycle: 'h23', timeStyle: 'medium' });

const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** Formats a number of bytes: 12.3 kB. */
export function formatBytes(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 999.5 && unit < units.length - 1) {
    size /= 1000;
    unit++;
  }
  const digits = unit === 0 || size >= 100 ? wholes : tenths;
  return `${digits.format(size)} ${units[unit] ?? ''}`;
}

/** Formats a duration in milliseconds with at most two units: 850 ms, 4.2 s, 3 min 5 s, 2 h 10 min, 3 d 4 h. */
export function formatDuration(milliseconds: number): string {
  const ms = Math.max(0, milliseconds);
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(ms < 9_950 ? 1 : 0)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return two(Math.floor(seconds / 60), 'min', seconds % 60, 's');
  const minutes = Math.round(seconds / 60);
  if (minutes < 1440) return two(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
  const hours = Math.round(minutes / 60);
  return two(Math.floor(hours / 24), 'd', hours % 24, 'h');
}

const two = (large: number, largeUnit: string, small: number, smallUnit: string): string =>
  small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'long' });
const steps: readonly (readonly [number, Intl.RelativeTimeFormatUnit, number])[] = [
  [3_600, 'minute', 60],
  [86_400, 'hour', 3_600],
  [30 * 86_400, 'day', 86_400],
  [365 * 86_400, 'month', 30 * 86_400],
];

/** Formats a relative time: "3 minutes ago". */
export function formatRelative(at: Date, now: number): string {
  const seconds = (at.getTime() - now) / 1000;
  const distance = Math.abs(seconds);
  // Clocks differ by seconds, so a past time may seem to be in the future.
  if (distance < 60) return 'just now';
  const [, unit, size] = steps.find(([limit]) => distance < limit) ?? [0, 'year' as const, 365 * 86_400];
  return relative.format(Math.trunc(seconds / size), unit);
}

/** Formats a time in the viewer's time zone. */
export function formatTime(at: Date): string {
  return Number.isNaN(at.getTime()) ? 'Invalid Date' : times.format(at);
}

/** Formats the time of the day in the viewer's time zone: 00:05:06. */
export const formatClock = (at: Date): string => clocks.format(at);

export const formatCount = (count: number): string => count.toLocaleString('en');

/** "1 step", "3 steps". */
export const plural = (count: number, noun: string): string =>
  `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;

/** Quotes a name. It is isolated, so that characters in it that set a direction do not reorder the text around it. */
export const quoted = (name: string): string => `“\u2068${name.replaceAll(/[\u2066-\u2069]/g, '')}\u2069”`;

/** Formats a total of the API: "1,234", "10,000+". */
export const formatTotal = ({ value, relation }: { value: number; relation: 'eq' | 'gte' }): string =>
  `${formatCount(value)}${relation === 'gte' ? '+' : ''}`;
