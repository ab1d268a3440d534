/** A day in the viewer's time zone, in the format of a `date` input: `2025-11-20`. */
export type Day = string;

/**
 * Returns the instant at which a day begins, for the API. An invalid day is returned unchanged, and the API rejects it.
 */
export function startOfDay(day: Day): string {
  const start = new Date(`${day}T00:00:00`);
  return Number.isNaN(start.getTime()) ? day : start.toISOString();
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
  return dayOf(noon.toISOString());
}
