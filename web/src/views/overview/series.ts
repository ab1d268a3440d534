import type { Bucket, Statistics } from '@knowledge-warehouse/client';

export interface Series {
  readonly name: Exclude<keyof Bucket, 'at'>;
  readonly label: string;
  readonly kind: 'bar' | 'line';
  readonly tone: 'green' | 'red' | 'grey' | 'accent';
}

export const throughputSeries: readonly Series[] = [
  { name: 'completed', label: 'Completed', kind: 'bar', tone: 'green' },
  { name: 'failed', label: 'Failed', kind: 'bar', tone: 'red' },
  { name: 'cancelled', label: 'Cancelled', kind: 'bar', tone: 'grey' },
  { name: 'registered', label: 'Registered', kind: 'line', tone: 'accent' },
];

export const failureSeries: readonly Series[] = [
  { name: 'failed', label: 'Failed', kind: 'bar', tone: 'red' },
];

/** Returns the end of an axis of counts that begins at 0: a round number, not below `largest`, whose half is a count too. */
export function niceTop(largest: number): number {
  if (largest <= 4) return 4;
  const power = 10 ** Math.floor(Math.log10(largest));
  const tops = [1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8, 10].map((step) => step * power);
  return tops.find((top) => top >= largest && top % 2 === 0) ?? 10 * power;
}

/** Returns the height of the tallest stack of bars or line in any bucket. */
export function largestOf(buckets: readonly Bucket[], series: readonly Series[]): number {
  const bars = series.filter(({ kind }) => kind === 'bar');
  const lines = series.filter(({ kind }) => kind === 'line');
  return Math.max(
    0,
    ...buckets.map((bucket) => bars.reduce((sum, { name }) => sum + bucket[name], 0)),
    ...buckets.flatMap((bucket) => lines.map(({ name }) => bucket[name])),
  );
}

/** Formats the time of a bucket as precisely as its width requires. */
export function formatBucket(at: string, seconds: number): string {
  const from = new Date(at);
  if (seconds >= 86_400) return formatDate(from, seconds);
  const day = from.toLocaleDateString('en', { weekday: 'short', day: 'numeric', month: 'short' });
  return `${day}, ${formatClock(from)}`;
}

/** Formats the label of a bucket on the axis: a time if all buckets cover a day or two, otherwise a date. */
export function formatTick({ buckets, bucket_seconds }: Statistics, at: string): string {
  const isShort = buckets.length * bucket_seconds <= 2 * 86_400;
  return isShort ? formatClock(new Date(at)) : formatDate(new Date(at), bucket_seconds);
}

/** The service's buckets of a day begin at midnight UTC, which is the day before west of it. */
const formatDate = (at: Date, seconds: number): string =>
  at.toLocaleDateString('en', {
    month: 'short',
    day: 'numeric',
    ...(seconds >= 86_400 && { timeZone: 'UTC' }),
  });

const formatClock = (at: Date): string =>
  at.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
