import { randomUUID } from 'node:crypto';
import { maxInlineContentBytes, maxReportBytes } from '../../protocol/report.js';
import type { CleanUpMessage } from '../../protocol/step.js';
import type { Attempt } from '../attempt.js';
import { largeText, type Content, type Material } from '../material.js';
import { failed, notApplicable, passed, type Finding, type Rule } from '../rule.js';
import { describeOutcome, mebibytes, seconds } from '../words.js';

const oversizeContent: Rule = {
  name: 'oversize-content',
  section: 'large-contents',
  needsOutcome: true,
  async run(kit) {
    const { attempt, answer } = await kit.settle(kit.attempt({}, enlarge(kit.material)));
    const oversize = findOversize([attempt]);
    if (oversize !== null) return oversize;
    const { outcome } = attempt;
    if (outcome === null) {
      return failed(
        'an outcome for 5 MiB of text',
        answer.status === 202 ? `none within ${seconds(kit.timeoutMs)}` : String(answer.status),
      );
    }
    if (attempt.uploads.size > 0) return passed;
    const small = outcome.status === 'SUCCESS' ? 'it produced nothing large' : describeOutcome(outcome);
    return notApplicable(`it was given 5 MiB of text: ${small}`);
  },
};

/** Returns the failure of attempts that sent too much at once; null if they did not. */
export function findOversize(attempts: readonly Attempt[]): Finding | null {
  const reports = attempts.flatMap((attempt) => attempt.reports);
  const longest = Math.max(0, ...reports.map(({ longestContent }) => longestContent));
  const largest = Math.max(0, ...reports.map(({ bytes }) => bytes));
  if (longest > maxInlineContentBytes)
    return failed('a content above 1 MiB is uploaded before the report', `${mebibytes(longest)} in a report`);
  if (largest > maxReportBytes) return failed('a report of at most 4 MiB', mebibytes(largest));
  const [refused] = attempts.flatMap(({ refusedUploads }) => refusedUploads);
  return refused === undefined ? null : failed('an upload that Core accepts', refused);
}

/** Returns a material with long texts instead of its texts and its source. */
export function enlarge({ source, inputs, config }: Material): Material {
  const bytes = largeText();
  const lengthen = <C extends Content>(content: C): C =>
    content.media_type.startsWith('text/') ? { ...content, bytes } : content;
  return { source: lengthen(source), inputs: inputs.map(lengthen), config };
}

/** Statuses that end a clean-up, besides any 2xx. */
const withoutCleanUp = [404, 405, 410, 501];

const cleanUpAnswered: Rule = {
  name: 'cleanup-answered',
  section: 'cleaning-up',
  async run(kit) {
    const { attempt } = await kit.ordinary();
    const message: CleanUpMessage = {
      protocol: 'kw.cleanup/1',
      reason: 'RESOURCE_DELETED',
      resource: { id: attempt.message.resource.id },
      run: attempt.message.run,
      artifacts: [{ artifact_id: randomUUID(), type: 'text' }],
      plugin: attempt.message.plugin,
    };
    const { status } = await kit.worker.post(message);
    const isEnd = (status >= 200 && status <= 299) || withoutCleanUp.includes(status);
    return isEnd
      ? passed
      : failed(
          'any 2xx to kw.cleanup/1, or 404, 405, 410 or 501 if the plugin stores nothing elsewhere',
          String(status),
        );
  },
};

export const contentRules = [oversizeContent, cleanUpAnswered];
