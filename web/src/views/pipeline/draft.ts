import { newId } from '../../api/new-id.js';
import { readNumber } from '../../parts/read-number.js';
import type { NewPipeline, Pipeline } from '@knowledge-warehouse/client';

export interface DraftStep {
  /** Identifies the step even when it is moved. */
  readonly key: string;
  readonly plugin_id: string;
  // The bounds as typed. Empty means the service's default.
  readonly max_attempts: string;
  readonly backoff_seconds: string;
  readonly timeout_seconds: string;
}

export interface Draft {
  readonly name: string;
  readonly trigger_type: string;
  readonly steps: readonly DraftStep[];
}

/** The service's limits and default for each bound. */
export const bounds = {
  max_attempts: { label: 'Attempts', unit: '', min: 1, max: 100, usual: 3, allowDecimal: false },
  backoff_seconds: { label: 'Pause', unit: 's', min: 0, max: 86_400, usual: 5, allowDecimal: true },
  timeout_seconds: { label: 'Time-out', unit: 's', min: 0.001, max: 604_800, usual: 300, allowDecimal: true },
} as const;

export type BoundName = keyof typeof bounds;

export const boundNames = Object.keys(bounds) as readonly BoundName[];

export const mostSteps = 50;

export const newStep = (plugin_id = ''): DraftStep => ({
  key: newId(),
  plugin_id,
  max_attempts: '',
  backoff_seconds: '',
  timeout_seconds: '',
});

export function toDraft({ name, trigger_type, steps }: Pipeline): Draft {
  return {
    name,
    trigger_type,
    steps: steps.map(({ plugin_id, max_attempts, backoff_seconds, timeout_seconds }) => ({
      key: newId(),
      plugin_id,
      max_attempts: String(max_attempts),
      backoff_seconds: String(backoff_seconds),
      timeout_seconds: String(timeout_seconds),
    })),
  };
}

/** Returns the request's body without values left to the service's defaults. */
export function toPipeline({ name, trigger_type, steps }: Draft): NewPipeline {
  return {
    name: name.trim(),
    trigger_type: trigger_type.trim(),
    steps: steps.map(({ plugin_id, ...step }) => ({
      plugin_id,
      ...Object.fromEntries(
        boundNames.flatMap((bound) => (step[bound].trim() === '' ? [] : [[bound, readNumber(step[bound])]])),
      ),
    })),
  };
}

/** Returns why a step cannot have this bound, or null if it can. */
export function problemOfBound(name: BoundName, text: string): string | null {
  const { min, max, allowDecimal } = bounds[name];
  const value = readNumber(text);
  const isAllowed = value >= min && value <= max && (allowDecimal || Number.isInteger(value));
  if (text.trim() === '' || isAllowed) return null;
  return value <= 0 && min > 0 && min < 1 ? 'Must be above 0.' : `Must be ${rangeOf(name)}.`;
}

/** Returns the allowed range of a bound with its unit. */
export function rangeOf(name: BoundName): string {
  const { min, max, unit } = bounds[name];
  const least = Number.isInteger(min) ? `${min} to` : 'up to';
  // Keep the unit on the same line as its number.
  return `${least} ${max.toLocaleString('en')}${unit === '' ? '' : `\u00a0${unit}`}`;
}

/** Returns why a draft cannot be saved, or null if it can. */
export function problemOf({ name, trigger_type, steps }: Draft): string | null {
  if (name.trim() === '') return 'Enter a name.';
  if (trigger_type.trim() === '') return 'Enter the type of resources that it processes.';
  if (steps.length === 0) return 'Add at least one step.';
  const empty = steps.findIndex(({ plugin_id }) => plugin_id === '');
  if (empty !== -1) return `Choose a plugin for step ${empty + 1}.`;
  for (const [index, step] of steps.entries()) {
    const bound = boundNames.find((name) => problemOfBound(name, step[name]) !== null);
    if (bound !== undefined) return `Check the ${bounds[bound].label.toLowerCase()} of step ${index + 1}.`;
  }
  return null;
}

/** Whether two drafts have the same content. */
export function isSame(one: Draft, other: Draft): boolean {
  return JSON.stringify(toPipeline(one)) === JSON.stringify(toPipeline(other));
}

/** Returns a list with one item moved. */
export function moveItem<Item>(items: readonly Item[], from: number, to: number): readonly Item[] {
  const moved = items[from];
  if (moved === undefined || to < 0 || to >= items.length) return items;
  return items.toSpliced(from, 1).toSpliced(to, 0, moved);
}
