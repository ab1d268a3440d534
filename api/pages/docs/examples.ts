import { html, type Html } from '../html.js';
import type { Content, Example } from './entries.js';

/** An example as it would be sent: texts as they are, everything else as JSON. */
export function exampleText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

/** What an example shows; `fallback` where it does not say. */
export function labelOf({ summary }: Example, fallback: string): string {
  return summary ?? fallback;
}

/** The examples of a body, each under what it shows. */
export function renderExamples({ examples = {} }: Content): Html[] {
  return Object.values(examples).map(
    (example) =>
      html`<figure>
        <figcaption>${labelOf(example, 'Example')}</figcaption>
        <pre>${exampleText(example.value)}</pre>
      </figure>`,
  );
}
