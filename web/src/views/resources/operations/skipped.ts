import { formatCount } from '../../../parts/format.js';

const reasons: Readonly<Record<string, string>> = {
  RESOURCE_PROCESSING: 'being processed',
  RESOURCE_NOT_PROCESSING: 'not being processed',
  NO_MATCHING_PIPELINE: 'without a pipeline of their type',
  STEP_NOT_RESUMABLE: 'without a step to resume from',
  NOT_FOUND: 'deleted in the meantime',
  VALIDATION_FAILED: 'their metadata would have more than 64 keys or 16 KiB',
};

/** Describes why an operation skips resources, one line per reason. */
export const describeSkipped = (skipped: Readonly<Record<string, number>>): readonly string[] =>
  Object.entries(skipped).map(([code, count]) => `${formatCount(count)} skipped: ${reasons[code] ?? code}`);
