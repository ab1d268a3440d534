import type { RuleResult } from '@knowledge-warehouse/plugin/conformance';
import type { Paint } from '../../terminal/paint.js';
import { plain } from '../../terminal/text.js';

const marks = { passed: '✓', failed: '✗', warning: '!', 'not-applicable': '–' } as const;
const styles = { passed: 'green', failed: 'red', warning: 'yellow', 'not-applicable': 'dim' } as const;
const nameWidth = 24;

/** Formats whether a worker follows each rule. */
export function toLines(results: readonly RuleResult[], paint: Paint): string[] {
  const lines = results.flatMap((result) => [
    `  ${paint(styles[result.status], marks[result.status])} ${headOf(result, paint)}`,
    ...detailsOf(result, paint),
  ]);
  const count = (status: RuleResult['status']): number =>
    results.filter((result) => result.status === status).length;
  const broken = count('failed');
  const warnings = count('warning');
  const summary = `${results.length} rules: ${count('passed')} passed, ${broken} failed, ${warnings === 0 ? '' : `${warnings} with a warning, `}${count('not-applicable')} not applicable`;
  return [...lines, '', paint(broken === 0 ? 'green' : 'red', summary)];
}

function headOf(result: RuleResult, paint: Paint): string {
  if (result.status !== 'not-applicable') return result.name;
  return `${result.name.padEnd(nameWidth)} ${paint('dim', result.reason)}`;
}

function detailsOf(result: RuleResult, paint: Paint): string[] {
  if (result.status !== 'failed' && result.status !== 'warning') return [];
  return [
    `      ${paint('dim', 'expected')}  ${result.expected}`,
    `      ${paint('dim', 'seen')}      ${plain(result.seen)}`,
    `      ${paint('dim', 'see')}       docs/plugins.md#${result.section}`,
  ];
}
