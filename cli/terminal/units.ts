const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** Formats a number of bytes: 812 B, 3.4 kB, 12 MB. */
export function bytes(count: number): string {
  let value = count;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit > 0 && value < 9.95 ? value.toFixed(1) : value.toFixed(0)} ${units[unit] ?? ''}`;
}

/** Formats a duration: 0.4 s, 12 s, 3 min 20 s, 2 h 5 min, 4 days. */
export function duration(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  if (whole < 48 * 3600) return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
  return `${Math.round(whole / 86_400)} days`;
}

/** Formats how long ago an API timestamp was. */
export function ago(time: string): string {
  const ms = Date.now() - Date.parse(time);
  if (ms < 10_000) return 'just now';
  const [first, unit] = duration(ms).split(' ');
  return `${first ?? ''} ${unit ?? ''} ago`;
}

/** Formats how long something took, or has taken so far; null before it began. */
export function took(from: string | null, to: string | null): string | null {
  if (from === null) return null;
  return duration((to === null ? Date.now() : Date.parse(to)) - Date.parse(from));
}

/** Formats a time of day, with the date if it is not today. */
export function clock(time: string): string {
  const date = new Date(time);
  const day = date.toDateString() === new Date().toDateString() ? '' : `${date.toLocaleDateString('sv')} `;
  return `${day}${date.toLocaleTimeString('sv')}`;
}
