import { ERRORS_KEY, type FieldProps, type RJSFSchema } from '@rjsf/utils';

/** Formats a default value for display as a placeholder. */
export function placeholderOf({ default: usual }: RJSFSchema): string | undefined {
  if (usual === undefined || usual === null) return undefined;
  return typeof usual === 'string' ? usual : JSON.stringify(usual);
}

/** The texts around a value in our own inputs. */
interface Labels {
  readonly id: string;
  readonly label: string;
  readonly description: string;
  readonly placeholder: string | undefined;
  readonly withAsterisk: boolean;
  readonly error: string | null;
}

export function labelsOf(field: FieldProps, hint: string): Labels {
  const { schema, name, fieldPathId, required, errorSchema } = field;
  return {
    id: fieldPathId.$id,
    label: schema.title ?? name,
    description: [schema.description, hint].filter(Boolean).join(' '),
    placeholder: placeholderOf(schema),
    withAsterisk: required === true,
    // The service's finding comes after that of the page, and says the same.
    error: errorSchema?.[ERRORS_KEY]?.[0] ?? null,
  };
}
