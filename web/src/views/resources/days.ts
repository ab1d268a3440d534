/** A day as a field of the type `date` has it, `2025-11-20`, where the viewer is. */
export type Day = string;

/** The instant at which a day begins, as the API takes it; what is no day stays as it is, and the API says so. */
export function startOfDay(day: Day): string {
  const start = new Date(`${day}T00:00:00`);
  return Number.isNaN(start.getTime()) ? day : start.toISOString();
}

/** The day that an instant falls on; empty where there is none. */
export function dayOf(instant: string | undefined): Day {
  const at = new Date(instant ?? '');
  if (Number.isNaN(at.getTime())) return '';
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

export const dayAfter = (day: Day): Day => moved(day, 1);
export const dayBefore = (day: Day): Day => moved(day, -1);

function moved(day: Day, by: number): Day {
  // At noon, since a day may have 23 or 25 hours.
  const noon = new Date(`${day}T12:00:00`);
  noon.setDate(noon.getDate() + by);
  return dayOf(noon.toISOString());
}
