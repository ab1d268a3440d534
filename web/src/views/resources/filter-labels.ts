import { dayBefore, dayOf } from './days.js';

const labels: Readonly<Record<string, string>> = {
  error_code: 'Error',
  failed_plugin: 'Failed at',
  created_after: 'Added from',
  created_before: 'Added up to',
  updated_after: 'Changed from',
  updated_before: 'Changed up to',
};

/** The choices of a filter by source. */
export const sourceOptions = [
  { value: '', label: 'Files and URLs' },
  { value: 'UPLOAD', label: 'Files' },
  { value: 'URL', label: 'URLs' },
];

/** Returns the name of a filter for display. */
export const labelOf = (name: string): string => labels[name] ?? name.replace(/^metadata\./, '');

/** Formats a value for display. The URL has instants; users see days in their time zone. */
export function shownAs(name: string, value: string): string {
  const day = name.endsWith('_after') || name.endsWith('_before') ? dayOf(value) : '';
  if (day === '') return value;
  return name.endsWith('_before') && new Date(value).getHours() === 0 ? dayBefore(day) : day;
}
