import { fileURLToPath } from 'node:url';
import type { DataConverter } from '@temporalio/common';

/** How workers encode data for Temporal. The SDK loads converters by their path. */
export const dataConverter: DataConverter = {
  failureConverterPath: fileURLToPath(import.meta.url.replace('data-converter', 'failure-converter')),
};
