import type { ErrorObject } from 'ajv/dist/2020.js';

/** Errors of values with longer paths stay as they are: thousands of values may be below one key of a megabyte. */
const longestPath = 1_000;

/**
 * Leaves out misleading errors for a value that may have several types (`oneOf`, `anyOf`), such as "one value or a
 * list". If a branch has the value's type, drops the errors of the branches of other types and, if just one branch is
 * left, the error of the choice. Branches with `$ref` declare no type here. Runs in linear time.
 *
 * @param errors Errors of ajv with the option `verbose`.
 */
export function withoutOtherTypes(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const choices = errors.filter(isFailedChoice);
  if (choices.length === 0) return errors;
  const failed = new Set(errors.map(({ instancePath, schemaPath }) => placeOf(instancePath, schemaPath)));
  const left = new Set<string>();
  for (const { instancePath, schemaPath, schema } of choices) {
    const branches = schema as readonly { readonly type?: unknown }[];
    const isOfOtherType = (at: number): boolean =>
      failed.has(placeOf(instancePath, `${schemaPath}/${at}/type`));
    const others = [...branches.keys()].filter(isOfOtherType);
    const isTypeKnown = branches.some(({ type }, at) => type !== undefined && !isOfOtherType(at));
    if (!isTypeKnown) continue;
    for (const at of others) left.add(placeOf(instancePath, `${schemaPath}/${at}`));
    if (others.length === branches.length - 1) left.add(placeOf(instancePath, schemaPath));
  }
  return errors.filter(({ instancePath, schemaPath }) => {
    const branch = schemaPath.slice(0, schemaPath.lastIndexOf('/'));
    return !left.has(placeOf(instancePath, schemaPath)) && !left.has(placeOf(instancePath, branch));
  });
}

/** Whether no branch matched; `oneOf` also fails if several did. */
const isFailedChoice = ({ keyword, instancePath, params }: ErrorObject): boolean =>
  (keyword === 'anyOf' || (keyword === 'oneOf' && params['passingSchemas'] === null)) &&
  instancePath.length <= longestPath;

const placeOf = (instancePath: string, schemaPath: string): string =>
  instancePath.length <= longestPath ? `${instancePath} ${schemaPath}` : '';
