import type { ErrorCode } from '../../core/errors.js';
import type { Examples, Route } from '../route.js';
import { errorExample } from './error-examples.js';

/** The examples of a body in the document: identifiers for programs → summary and body. */
export interface RenderedExamples {
  readonly examples?: Readonly<Record<string, { readonly summary?: string; readonly value: unknown }>>;
}

/** Returns the examples of a body: those declared with it, or else those of its schema. */
export function toExamples(declared: Examples | undefined, schema: object | undefined): RenderedExamples {
  const { examples: own = [] } = (schema ?? {}) as { readonly examples?: readonly unknown[] };
  const entries =
    declared === undefined
      ? own.map((value, index) => [`example${index === 0 ? '' : index + 1}`, { value }] as const)
      : Object.entries(declared).map(([summary, value]) => [toName(summary), { summary, value }] as const);
  return entries.length === 0 ? {} : { examples: Object.fromEntries(entries) };
}

/** Returns the examples of an error's status: one for each of its codes. */
export function toErrorExamples(route: Route, codes: readonly ErrorCode[]): RenderedExamples {
  const entries = codes.map((code) => [code, { value: errorExample(route, code) }] as const);
  return { examples: Object.fromEntries(entries) };
}

const toName = (summary: string): string =>
  summary
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
