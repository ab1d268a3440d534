import type { Outcome } from './attempt.js';
import type { Delivery, Kit } from './kit.js';

export const seconds = (ms: number): string => `${Math.round(ms / 100) / 10} s`;

export const mebibytes = (bytes: number): string => `${(bytes / (1024 * 1024)).toFixed(1)} MiB`;

export function describeOutcome(outcome: Outcome): string {
  if (outcome.status === 'SUCCESS') return 'SUCCESS';
  const { code = 'without a code', message = 'without a message' } = outcome.error ?? {};
  return `FAILURE ${code}: ${message.slice(0, 300)}`;
}

export function describeSettlement({ attempt, answer }: Delivery, kit: Pick<Kit, 'timeoutMs'>): string {
  if (attempt.outcome !== null) return describeOutcome(attempt.outcome);
  if (answer.status !== 202) return `the answer ${answer.status} to the step`;
  const silence = `no report that Core accepts within ${seconds(kit.timeoutMs)}`;
  const refused = attempt.reports.find(({ status }) => status !== null && [400, 413, 415].includes(status));
  if (refused !== undefined)
    return `${silence}: one was answered ${refused.status} (${refused.faults.join('; ')})`;
  const [upload] = attempt.refusedUploads;
  return upload === undefined ? silence : `${silence}: an upload was refused (${upload})`;
}
