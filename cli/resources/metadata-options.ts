import { InvalidArgumentError } from 'commander';
import { scalarIn, type Metadata } from '@knowledge-warehouse/client';
import { parseJson } from '@knowledge-warehouse/plugin/protocol';

type Value = Metadata[string];

/** The forms of metadata values on the command line. */
export const metadataForms =
  'KEY=VALUE; a VALUE such as 5, true, false or null is not a string, unless it is in double quotes; several VALUEs of one KEY make a list';

/** Adds a KEY=VALUE to the previous ones. Throws commander's InvalidArgumentError. */
export function readMetadata(text: string, before: Metadata = {}): Metadata {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('It must be KEY=VALUE.');
  const key = text.slice(0, at);
  const value = readValue(text.slice(at + 1));
  const members = new Map<string, Value>(Object.entries(before));
  const others = members.get(key);
  if (others === undefined) members.set(key, value);
  else members.set(key, [...toTexts(others), ...toTexts(value)]);
  return Object.fromEntries(members);
}

function readValue(text: string): Value {
  const value = scalarIn(text);
  if (value !== undefined) return value;
  const quoted = parseJson(text);
  return typeof quoted === 'string' ? quoted : text;
}

/** A list can only hold strings. */
const toTexts = (value: Value): readonly string[] =>
  Array.isArray(value) ? value.map(String) : [String(value)];
