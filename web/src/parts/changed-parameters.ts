/** Returns the parameters of a URL with changes; an empty value removes one. */
export function changed(
  parameters: URLSearchParams,
  changes: Readonly<Partial<Record<string, string>>>,
): URLSearchParams {
  const next = new URLSearchParams(parameters);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') next.delete(name);
    else next.set(name, value);
  }
  return next;
}
