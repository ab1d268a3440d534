/** The expected newest run of a resource; 0: none. */
export interface ModelledRun {
  status: 'PENDING' | 'PROCESSING' | 'CANCELLED';
  run: number;
}

/** The response to a request, with its code for an error, and the resulting run. */
export interface Outcome {
  readonly answer: readonly [number, string | undefined];
  readonly left: Readonly<ModelledRun>;
}

export function cancelling({ status, run }: ModelledRun): Outcome {
  return status === 'PROCESSING'
    ? { answer: [202, undefined], left: { status: 'CANCELLED', run } }
    : { answer: [409, 'RESOURCE_NOT_PROCESSING'], left: { status, run } };
}

export function reprocessing({ status, run }: ModelledRun, hasPipeline: boolean): Outcome {
  if (status === 'PROCESSING') return { answer: [409, 'RESOURCE_PROCESSING'], left: { status, run } };
  return hasPipeline
    ? { answer: [202, undefined], left: { status: 'PROCESSING', run: run + 1 } }
    : { answer: [409, 'NO_MATCHING_PIPELINE'], left: { status, run } };
}
