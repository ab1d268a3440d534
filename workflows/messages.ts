import { defineQuery, defineSignal } from '@temporalio/workflow';
import { workflowNames, type RunProgress, type StepReported } from '../core/runs/run-protocol.js';

/** Wakes a run after a report was committed. */
export const stepReported = defineSignal<[StepReported]>(workflowNames.stepReported);

/** What a run is doing. */
export const progress = defineQuery<RunProgress>(workflowNames.progress);
