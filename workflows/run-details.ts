import type { Instruction, StepSnapshot } from '../core/runs/run-protocol.js';

/** A line of Markdown for the Temporal Web UI: what the run does and what it waits for. */
export function describeInstruction(instruction: Instruction, steps: readonly StepSnapshot[]): string {
  switch (instruction.do) {
    case 'FETCH':
      return 'Fetching the URL of the source.';
    case 'WAIT':
      return `Step ${instruction.index}: waiting for the outcome of attempt ${instruction.attempt}.`;
    case 'END':
      return instruction.code === null
        ? `Ended: ${instruction.status}.`
        : `Ended: ${instruction.status}, \`${instruction.code}\`: ${instruction.message ?? ''}`;
    case 'RUN': {
      const step = steps.find((candidate) => candidate.index === instruction.index);
      const where =
        step?.kind === 'activity'
          ? `on the task queue \`${step.task_queue ?? ''}\``
          : `at ${step?.endpoint ?? ''}`;
      const pause =
        instruction.delayMs > 0 ? ` after a pause of ${(instruction.delayMs / 1000).toFixed(1)} s` : '';
      return (
        `Step ${instruction.index} (of ${steps.length}, counted from 0), \`${step?.plugin_id ?? ''}\` ${where}: ` +
        `starts with attempt ${instruction.attemptBase + 1} of ${instruction.attemptBase + instruction.attemptsLeft}${pause}. ` +
        'A step that stays scheduled waits for a worker on its task queue.'
      );
    }
  }
}
