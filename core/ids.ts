import { randomBytes } from 'node:crypto';

/**
 * A UUID version 7 (RFC 9562 §5.7): 48 bits of Unix time in milliseconds, then random bits, so that ids made later
 * sort later (within a millisecond in no order).
 */
export function uuidv7(now: number = Date.now()): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(now, 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a string has the shape of a UUID of any version. */
export function isUuid(value: string): boolean {
  return uuid.test(value);
}

/** The id of the workflow that carries out one run of a resource. */
export function runWorkflowId(resourceId: string, run: number): string {
  return `resource-${resourceId}-run-${run}`;
}

/** The run that a workflow id of `runWorkflowId` names; null for any other id. */
export function parseRunWorkflowId(id: string): { readonly resourceId: string; readonly run: number } | null {
  const [, resourceId = '', run = ''] = /^resource-(.{36})-run-(\d{1,9})$/.exec(id) ?? [];
  return isUuid(resourceId) ? { resourceId, run: Number(run) } : null;
}
