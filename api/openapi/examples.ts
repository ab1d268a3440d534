import type { ErrorCode } from '../../core/errors.js';
import type { Examples, Route } from '../route.js';
import { errorExample } from './error-examples.js';

/** What the examples of a body show, for the document: names a program can hold on to → what it shows and the body. */
export interface RenderedExamples {
  readonly examples?: Readonly<Record<string, { readonly summary?: string; readonly value: unknown }>>;
}

/** The examples of a body: those declared with it, else those of its schema. */
export function toExamples(declared: Examples | undefined, schema: object | undefined): RenderedExamples {
  const { examples: own = [] } = (schema ?? {}) as { readonly examples?: readonly unknown[] };
  const entries =
    declared === undefined
      ? own.map((value, index) => [`example${index === 0 ? '' : index + 1}`, { value }] as const)
      : Object.entries(declared).map(([summary, value]) => [toName(summary), { summary, value }] as const);
  return entries.length === 0 ? {} : { examples: Object.fromEntries(entries) };
}

/** The examples of an error's status: one for each of its codes. */
export function toErrorExamples(route: Route, codes: readonly ErrorCode[]): RenderedExamples {
  const entries = codes.map((code) => [code, { value: errorExample(route, code) }] as const);
  return { examples: Object.fromEntries(entries) };
}

const toName = (summary: string): string =>
  summary
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
