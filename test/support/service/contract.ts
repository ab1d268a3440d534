import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: { readonly responses?: Readonly<Record<string, Response>> };
}

interface Response {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>;
}

/** A request and its response. `path` is from the root, without a query. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

const pointer = (segment: string): string => segment.replaceAll('~', '~0').replaceAll('/', '~1');

/**
 * Returns a function that checks responses against an OpenAPI document. The operation, status and media type must be
 * documented, and the body must match the schema without undocumented fields.
 */
export function createContract(document: Document): (exchange: Exchange) => void {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(close(document) as object, 'document');
  const compiled = new Map<string, ValidateFunction>();
  const templates = Object.entries(document.paths).map(([template, item]) => ({
    template,
    item,
    pattern: new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`),
  }));

  const schemaCheck = (reference: string): ValidateFunction => {
    const known = compiled.get(reference);
    if (known !== undefined) return known;
    const validate = ajv.compile({ $ref: reference });
    compiled.set(reference, validate);
    return validate;
  };

  return ({ method, path, status, contentType, body }) => {
    const what = `${method} ${path} → ${status}`;
    const mediaType = contentType.split(';')[0] ?? '';
    const verb = (method === 'HEAD' ? 'GET' : method).toLowerCase();
    const matching = templates.filter(({ pattern }) => pattern.test(path));
    const [nearest] = matching.sort((a, b) => a.template.split('{').length - b.template.split('{').length);
    const found = nearest?.item[verb] === undefined ? undefined : nearest;
    const check = (reference: string): void => {
      if (method === 'HEAD') return;
      const validate = schemaCheck(reference);
      if (!validate(JSON.parse(body)))
        throw new Error(`${what}: ${ajv.errorsText(validate.errors)}\n${body.slice(0, 2000)}`);
    };
    if (found === undefined) {
      if (method === 'OPTIONS' && status === 204) return;
      if (status !== 404 && status !== 405) throw new Error(`${what}: the document has no such operation`);
      check('document#/components/schemas/Error');
      return;
    }
    const { responses } = found.item[verb] as { readonly responses: Readonly<Record<string, Response>> };
    const shared = responses[status]?.$ref?.split('/').at(-1);
    const response = shared === undefined ? responses[status] : document.components.responses?.[shared];
    if (response === undefined) throw new Error(`${what}: the document has no such status\n${body}`);
    const types = Object.keys(response.content ?? {});
    if (types.length === 0) {
      if (body !== '') throw new Error(`${what}: a body that the document does not have`);
      return;
    }
    const type = types.find((each) => each === mediaType || each === '*/*');
    if (type === undefined)
      throw new Error(`${what}: ${contentType}, but the document has ${types.join(', ')}`);
    // Bodies of other media types are text or bytes, and a range of JSON is not valid JSON.
    if (type !== 'application/json' || status === 206) return;
    const place =
      shared === undefined
        ? `paths/${pointer(found.template)}/${verb}/responses/${status}`
        : `components/responses/${shared}`;
    check(`document#/${place}/content/${pointer(type)}/schema`);
  };
}

/** Forbids undocumented properties in objects. Parts of an `allOf` describe the same object, so they are not closed. */
function close(value: unknown, inAllOf = false): unknown {
  if (Array.isArray(value)) return value.map((each) => close(each, inAllOf));
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, close(each, inAllOf || key === 'allOf')]),
  );
  const listsProperties = typeof copy['properties'] === 'object' && !('oneOf' in copy);
  return listsProperties && !inAllOf && !('additionalProperties' in copy)
    ? { ...copy, additionalProperties: false }
    : copy;
}
