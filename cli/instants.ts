import { InvalidArgumentError } from 'commander';

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i;

/** Parses an option as an instant; a date is its beginning in UTC. Throws commander's InvalidArgumentError. */
export function readInstant(text: string): string {
  const full = /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text;
  if (instant.test(full) && !Number.isNaN(Date.parse(full))) return full;
  throw new InvalidArgumentError('It must be a time with its zone, such as 2025-11-20T09:30:00Z, or a date.');
}
