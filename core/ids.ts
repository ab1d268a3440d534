import { randomUUID } from 'node:crypto';
import type { RunRef } from './runs/refs.js';

/**
 * A UUID version 7 (RFC 9562 §5.7): 48 bits of Unix time in milliseconds, then random bits. Later ids sort
 * later; ids of the same millisecond are in no order.
 */
export function uuidv7(now: number = Date.now()): string {
  const time = now.toString(16).padStart(12, '0');
  // Version 4 has its random bits and its variant at the same positions as version 7.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

/** Sorts before every other id. */
export const leastId = '00000000-0000-0000-0000-000000000000';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a string has the shape of a UUID of any version. */
export function isUuid(value: string): boolean {
  return uuid.test(value);
}

/** The id of the workflow that executes one run of a resource. */
export function runWorkflowId(resourceId: string, run: number): string {
  return `resource-${resourceId}-run-${run}`;
}

/** The run that an id made by `runWorkflowId` names; null for any other id. */
export function parseRunWorkflowId(id: string): RunRef | null {
  const [, resourceId = '', run = ''] = /^resource-(.{36})-run-(\d{1,9})$/.exec(id) ?? [];
  return isUuid(resourceId) ? { resourceId, run: Number(run) } : null;
}
