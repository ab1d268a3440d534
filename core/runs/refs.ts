/** The identity of a run. */
export interface RunRef {
  readonly resourceId: string;
  readonly run: number;
}

/** The identity of an attempt. */
export interface AttemptRef extends RunRef {
  readonly stepIndex: number;
  readonly attempt: number;
}

/** The identity of a clean-up's workflow; a null `run` means that it cleans up after a deleted resource. */
export interface CleanUpRef {
  readonly resourceId: string;
  readonly run: number | null;
}
