/** The context of a config form's fields, in addition to their own values. */
export interface ConfigFormContext {
  /** Whether the schema hides the value at a path. */
  readonly isSecretAt: (path: readonly (string | number)[]) => boolean;
  /** Whether a value is the mark of a stored secret. */
  readonly isKept: (value: unknown) => boolean;
  /** The mark of the secret that was loaded from a path; undefined if there was none. */
  readonly markAt: (path: readonly (string | number)[]) => string | undefined;
  /** Called with the error of a field's JSON, or null once it is valid. */
  readonly onUnreadable: (id: string, problem: string | null) => void;
}
