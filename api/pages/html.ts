/** HTML that is safe to show: what came from elsewhere is escaped in it. */
export class Html {
  constructor(readonly text: string) {}
}

/** Text that stands for itself in HTML, in attributes too. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

type Value = Html | string | number | null | undefined | false | readonly Value[];

/** HTML with values in it: texts are escaped, lists are joined, null, undefined and false are nothing. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(parts.map((part, index) => part + render(values[index])).join(''));
}

function render(value: Value): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));
  return value.map(render).join('');
}

/** Paragraphs, with `code` in them. */
export function prose(text: string): Html[] {
  return text
    .split('\n\n')
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => html`<p>${withCode(paragraph)}</p>`);
}

/** One line, with `code` in it. */
export function withCode(text: string): Html {
  return new Html(escapeHtml(text).replace(/`([^`]*)`/g, '<code>$1</code>'));
}
