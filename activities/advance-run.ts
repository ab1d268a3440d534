import {
  checkArtifacts,
  checkNesting,
  findMisreport,
  findOversizeArtifact,
  activityResultSchema,
  maxResultBytes,
  type ReportedArtifact,
  type SuccessReport,
} from '@knowledge-warehouse/plugin/protocol';
import { ServiceError } from '../core/errors.js';
import type { RunRef } from '../core/runs/refs.js';
import type { Instruction, RunEvent, StepSnapshot } from '../core/runs/run-protocol.js';
import type { Deps } from '../runtime/deps.js';
import { inSpan } from '../runtime/tracing/spans.js';
import { findingsOf, firstReason } from '../runtime/content/json-schema.js';
import { isFull } from '../storage/object-store/errors.js';
import { dropStored, storeArtifacts } from '../storage/object-store/store-artifacts.js';
import { splitArtifacts } from '../storage/transitions/accept-report.js';
import { advance, type CheckedResult } from '../storage/transitions/advance.js';

interface AdvanceInput extends RunRef {
  /** The workflow's snapshot; refused if it does not match the run. */
  readonly steps?: readonly StepSnapshot[];
}

/** The local activity by which a run reports what it observed and gets its next instruction. */
export function createAdvanceRun(deps: Deps): (ref: AdvanceInput, event: RunEvent) => Promise<Instruction> {
  return async function advanceRun(ref: AdvanceInput, event: RunEvent): Promise<Instruction> {
    try {
      const result = event.kind === 'RETURNED' ? await checkResult(deps, ref.resourceId, event) : null;
      const { instruction, resultTaken } = await inSpan(
        'advance run',
        { attributes: { 'kw.event': event.kind } },
        () => advance(deps.db, ref, event, { coreUrl: deps.config.publicUrl, result, steps: ref.steps }),
      );
      if (!resultTaken && result !== null && 'artifacts' in result)
        await dropStored(deps.objectStore, result.artifacts);
      logAdvanced(deps, event.kind, instruction);
      return instruction;
    } catch (error) {
      deps.log.warn({ err: error, event: event.kind }, 'a run could not be advanced; retrying');
      throw error;
    }
  };
}

/** Logs what a run observed and its next instruction. */
export function logAdvanced({ log }: Deps, event: RunEvent['kind'], next: Instruction): void {
  log.info({ event, next: next.do, ...('index' in next ? { step_index: next.index } : {}) }, 'run advanced');
}

/**
 * Validates what an activity returned in place of a report, and stores its artifacts. No return value means
 * no artifacts.
 */
async function checkResult(
  deps: Deps,
  resourceId: string,
  { result, unreadable }: Extract<RunEvent, { kind: 'RETURNED' }>,
): Promise<CheckedResult> {
  if (unreadable !== undefined) return invalid(`The result ${unreadable}.`);
  if (result === undefined || result === null) return { artifacts: [], uploads: [] };
  const misreport = findMisreport(result);
  if (misreport !== null) return invalid(`The result ${misreport}`);
  const bytes = Buffer.byteLength(JSON.stringify(result));
  if (bytes > maxResultBytes)
    return invalid(`The result has ${bytes} bytes; at most ${maxResultBytes} are allowed.`);
  const findings = findingsOf(activityResultSchema, result);
  const { artifacts = [] } = result as { artifacts?: readonly ReportedArtifact[] };
  const report: SuccessReport = { status: 'SUCCESS', artifacts };
  if (findings.length === 0) findings.push(...checkArtifacts(report), ...checkNesting(report));
  if (findings.length > 0)
    return invalid(`The result is not valid${firstReason(findings)}.`, { errors: findings });
  if (findOversizeArtifact(artifacts) !== undefined)
    return invalid('An artifact of the result is too large.');
  const { inline, uploads } = splitArtifacts(report);
  try {
    return { artifacts: await storeArtifacts(deps.objectStore, resourceId, inline), uploads };
  } catch (error) {
    // Only a person can make room, so the attempt fails, as those of built-in steps do. An outage is waited out.
    if (!(error instanceof ServiceError) || !isFull(error)) throw error;
    return { unstored: { code: error.code, message: error.message, details: {} } };
  }
}

function invalid(message: string, details: Record<string, unknown> = {}): CheckedResult {
  return { invalid: { code: 'INVALID_RESULT', message, details } };
}
