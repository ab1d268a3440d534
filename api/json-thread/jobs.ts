import { hideWriteOnlyText } from '../config-schema/hide-write-only.js';
import { keepWriteOnly } from '../config-schema/keep-write-only.js';
import { readBody } from './read-body.js';

/** What is done with JSON that others made and that may be large: in a thread then. Each takes time in line with its input. */
export const jobs = { readBody, keepWriteOnly, hideWriteOnly: hideWriteOnlyText };

export type Jobs = typeof jobs;
