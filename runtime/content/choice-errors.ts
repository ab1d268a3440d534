import type { ErrorObject } from 'ajv/dist/2020.js';
import { groupBy } from '../../core/group-by.js';

/** Errors of values with longer paths stay as they are: thousands of values may be below one key of a megabyte. */
const longestPath = 1_000;

/**
 * Leaves out misleading errors for a value that may have several types (`oneOf`, `anyOf`), such as "one value or a
 * list". If a branch has the value's type, drops the errors of the branches of other types and, if just one branch is
 * left, the error of the choice. If several are left, and each has one error about what the value must be, they become
 * one error: "must be integer or failed". Branches with `$ref` declare no type here. Runs in linear time.
 *
 * @param errors Errors of ajv with the option `verbose`.
 */
export function mergeChoiceErrors(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const choices = errors.filter(isFailedChoice);
  if (choices.length === 0) return errors;
  const byBranch = groupBy(errors, branchOf);
  const left = new Set<string>();
  const merged = new Map<string, string>();
  for (const { instancePath, schemaPath, schema } of choices) {
    const branches = schema as readonly { readonly type?: unknown }[];
    const place = placeOf(instancePath, schemaPath);
    const errorsOf = (at: number): readonly ErrorObject[] => byBranch.get(`${place}/${at}`) ?? [];
    const isOfOtherType = (at: number): boolean => errorsOf(at).some(({ keyword }) => keyword === 'type');
    const isTypeKnown = branches.some(({ type }, at) => type !== undefined && !isOfOtherType(at));
    const rest = [...branches.keys()].filter((at) => !isTypeKnown || !isOfOtherType(at));
    const wanted = rest.map((at) => wantedBy(errorsOf(at)));
    const isMerged = rest.length > 1 && !wanted.includes(null);
    if (isMerged) merged.set(place, `must be ${[...new Set(wanted)].join(' or ')}`);
    for (const at of branches.keys()) if (isMerged || !rest.includes(at)) left.add(`${place}/${at}`);
    if (rest.length === 1) left.add(place);
  }
  return errors
    .filter((error) => !left.has(placeOf(error.instancePath, error.schemaPath)) && !left.has(branchOf(error)))
    .map((error) => ({
      ...error,
      message: merged.get(placeOf(error.instancePath, error.schemaPath)) ?? error.message,
    }));
}

/** Returns what a value must be, if that is all that is wrong with it. */
function wantedBy([error, ...more]: readonly ErrorObject[]): string | null {
  return more.length === 0 ? (/^must be (.*)$/s.exec(error?.message ?? '')?.[1] ?? null) : null;
}

const branchOf = ({ instancePath, schemaPath }: ErrorObject): string =>
  placeOf(instancePath, schemaPath.slice(0, schemaPath.lastIndexOf('/')));

/** Whether no branch matched; `oneOf` also fails if several did. */
const isFailedChoice = ({ keyword, instancePath, params }: ErrorObject): boolean =>
  (keyword === 'anyOf' || (keyword === 'oneOf' && params['passingSchemas'] === null)) &&
  instancePath.length <= longestPath;

const placeOf = (instancePath: string, schemaPath: string): string =>
  instancePath.length <= longestPath ? `${instancePath} ${schemaPath}` : '';
