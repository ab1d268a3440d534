/** A day in the viewer's time zone, in the format of a `date` input: `2025-11-20`. */
export type Day = string;

/** The greatest value of a `date` input. Without it, browsers accept years of more than four digits. */
export const maxDay: Day = '9999-12-31';

/**
 * Returns the instant at which a day begins, for the API. An invalid day is returned unchanged, and the API rejects it.
 */
export const startOfDay = (day: Day): string => instantOf(day, '00:00:00');

/** Returns the last instant of a day, likewise. */
export const endOfDay = (day: Day): string => instantOf(day, '23:59:59.999');

function instantOf(day: Day, time: string): string {
  const at = new Date(`${day}T${time}`);
  return Number.isNaN(at.getTime()) ? day : at.toISOString();
}

/** Returns the day of an instant; empty without one. */
export function dayOf(instant: string | undefined): Day {
  const at = new Date(instant ?? '');
  if (Number.isNaN(at.getTime())) return '';
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

export const dayAfter = (day: Day): Day => moved(day, 1);
export const dayBefore = (day: Day): Day => moved(day, -1);

function moved(day: Day, by: number): Day {
  // Noon, since a day may have 23 or 25 hours.
  const noon = new Date(`${day}T12:00:00`);
  noon.setDate(noon.getDate() + by);
  return Number.isNaN(noon.getTime()) ? day : dayOf(noon.toISOString());
}
