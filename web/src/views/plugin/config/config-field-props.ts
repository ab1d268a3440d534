import type { Field } from './schema-fields.js';

export interface ConfigFieldProps {
  readonly field: Field;
  /** Undefined where it is not set. */
  readonly value: unknown;
  readonly isReadOnly: boolean;
  readonly onChange: (value: unknown) => void;
}
