/** What the fields of a config's form know beside their own value. */
export interface ConfigFormContext {
  /** Whether the schema hides what is at a path. */
  readonly isSecretAt: (path: readonly (string | number)[]) => boolean;
  /** Whether a value is the mark of a secret that is kept. */
  readonly isKept: (value: unknown) => boolean;
  /** The mark of the secret that was loaded from a path; undefined: there was none. */
  readonly markAt: (path: readonly (string | number)[]) => string | undefined;
  /** Called with what is wrong with the JSON of a field; null: nothing any more. */
  readonly onUnreadable: (id: string, problem: string | null) => void;
}
