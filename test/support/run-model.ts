/** The newest run of a resource as it should be; 0: there is none. */
export interface ModelledRun {
  status: 'PENDING' | 'PROCESSING' | 'CANCELLED';
  run: number;
}

/** What a request is answered, with its code where it is a refusal, and the run that it leaves. */
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
