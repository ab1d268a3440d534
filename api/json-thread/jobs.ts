import { hideWriteOnlyText } from '../config-schema/hide-write-only.js';
import { keepWriteOnly } from '../config-schema/keep-write-only.js';
import { readBody } from './read-body.js';

/** Jobs on untrusted, possibly large JSON, run in a thread if large. Each takes time linear in its input. */
export const jobs = { readBody, keepWriteOnly, hideWriteOnly: hideWriteOnlyText };

export type Jobs = typeof jobs;
