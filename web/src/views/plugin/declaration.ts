import type { NewPlugin, Plugin } from '@knowledge-warehouse/client';
import { readNumber } from '../../parts/read-number.js';

/** What a plugin declares about its steps, while it is typed. */
export interface Declaration {
  /** Empty: no limit. */
  readonly heartbeat_seconds: string;
  /** Artifact types, separated by commas. */
  readonly produces: string;
  readonly input: 'undeclared' | 'source' | 'artifacts';
  /** Artifact types, separated by commas, for the input `artifacts`. */
  readonly reads: string;
}

type Declared = Required<Pick<NewPlugin, 'heartbeat_seconds' | 'produces' | 'reads'>>;

export function toDeclaration({ heartbeat_seconds, produces, reads }: Plugin): Declaration {
  return {
    heartbeat_seconds: heartbeat_seconds?.toString() ?? '',
    produces: produces.join(', '),
    input: reads === null ? 'undeclared' : reads.length === 0 ? 'source' : 'artifacts',
    reads: reads?.join(', ') ?? '',
  };
}

/** Returns the declared properties for a request. */
export function toDeclared({ heartbeat_seconds, produces, input, reads }: Declaration): Declared {
  return {
    heartbeat_seconds: heartbeat_seconds.trim() === '' ? null : numberOrText(heartbeat_seconds),
    produces: readTypes(produces),
    reads: input === 'undeclared' ? null : input === 'source' ? [] : readTypes(reads),
  };
}

/** A text that is not a number is passed on, so that the API rejects it. */
function numberOrText(text: string): number {
  const number = readNumber(text);
  return Number.isNaN(number) ? (text as never) : number;
}

/** Reads artifact types, which contain neither commas nor spaces. */
const readTypes = (text: string): string[] => text.split(/[\s,]+/).filter((type) => type !== '');

/** Returns the values that differ from the initial ones. */
export function changesOf<Values extends object>(values: Values, initial: Values): Partial<Values> {
  const before = new Map<string, unknown>(Object.entries(initial));
  const changed = Object.entries(values).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before.get(name)),
  );
  return Object.fromEntries(changed) as Partial<Values>;
}
