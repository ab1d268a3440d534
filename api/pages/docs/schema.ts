import { html, withCode, type Html } from '../html.js';

interface JsonSchema {
  readonly $ref?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly oneOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly then?: JsonSchema;
  readonly [keyword: string]: unknown;
}

/** Keyword → how its value is said. Patterns are left out: what they mean stands in the description. */
const bounds: Readonly<Record<string, (value: string) => string>> = {
  minimum: (value) => `≥ ${value}`,
  exclusiveMinimum: (value) => `> ${value}`,
  maximum: (value) => `≤ ${value}`,
  minLength: (value) => `at least ${value} characters`,
  maxLength: (value) => `at most ${value} characters`,
  minItems: (value) => `at least ${value} items`,
  maxItems: (value) => `at most ${value} items`,
  minProperties: (value) => `at least ${value} of them`,
  default: (value) => `${value} unless given`,
};

/** A schema for people: its type, its bounds, what it is for, and the same of all that is in it. */
export function renderSchema(schema: object): Html {
  const each = schema as JsonSchema;
  return html`<div class="schema">${line(each)}${inner(each)}</div>`;
}

function line(schema: JsonSchema): Html {
  const rules = Object.entries(bounds)
    .filter(([keyword]) => schema[keyword] !== undefined)
    .map(([keyword, say]) => say(JSON.stringify(schema[keyword])));
  return html`<span class="type">${typeOf(schema)}</span
    >${rules.length > 0 && html` <span class="bounds">${rules.join(', ')}</span>`}${
      schema.description !== undefined && html` ${withCode(schema.description)}`
    }`;
}

/** What the type of a schema is called; a schema with a name is a link to it. */
function typeOf(schema: JsonSchema): Html {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1) ?? '';
    return html`<a href="#schema-${name}">${name}</a>`;
  }
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (schema.enum !== undefined) {
    return html`one of
    ${schema.enum.map((value, index) => html`${index > 0 && ', '}<code>${String(value)}</code>`)}`;
  }
  if (schema.items !== undefined && schema.items.$ref !== undefined)
    return html`array of ${typeOf(schema.items)}`;
  if (schema.type === undefined)
    return html`${schema.title ?? ((schema.anyOf ?? schema.oneOf) ? 'one of' : 'any')}`;
  const types = [schema.type].flat().join(' or ');
  return html`${schema.title !== undefined && `${schema.title}: `}${types}${schema.format !== undefined && ` (${schema.format})`}`;
}

function inner(schema: JsonSchema): Html | null {
  const { properties = {}, required = [], items } = schema;
  const choices = schema.oneOf ?? schema.anyOf ?? [];
  const names = Object.keys(properties);
  const nested = [
    names.length > 0 &&
      html`<ul>
        ${names.map((name) => html`<li><code class="name">${name}</code>${required.includes(name) && html` <em>required</em>`} ${renderSchema(properties[name] ?? {})}</li>`)}
      </ul>`,
    items !== undefined &&
      items.$ref === undefined &&
      html`<ul>
        <li>each item ${renderSchema(items)}</li>
      </ul>`,
    choices.length > 0 &&
      html`<ul>
        ${choices.map((choice) => html`<li>${renderSchema(choice)}</li>`)}
      </ul>`,
  ].filter((part) => part !== false);
  return nested.length === 0 ? null : html`${nested}`;
}
