import { errorStatus, type ErrorCode } from '../../core/errors.js';
import type { Examples, ResponseSpec, Route } from '../route.js';
import { errorSchema } from '../schemas/common.js';
import { errorCodesOf } from './error-codes.js';
import { toErrorExamples, toExamples } from './examples.js';
import { etagHeader, takesIfNoneMatch, toHeaderParameters } from './headers.js';
import { refusalReferences } from './refusals.js';
import { renderSchema } from './render-schema.js';
import type { Operation } from './types.js';

/** The entry of a route in the document. */
export function toOperation(route: Route): Operation {
  const body = toRequestBody(route);
  return {
    operationId: route.operationId,
    summary: route.summary,
    description: [route.description, scopeNote(route)].filter(Boolean).join('\n\n'),
    tags: [route.tag],
    security: securityOf(route),
    parameters: [...toPathParameters(route), ...toQueryParameters(route), ...toHeaderParameters(route)],
    ...(body === undefined ? {} : { requestBody: body }),
    responses: { ...toResponses(route), ...toErrors(route), ...refusalReferences },
  };
}

function securityOf({ scope }: Route): Operation['security'] {
  if (scope === 'open') return [];
  return scope === 'token' ? [{ callbackToken: [] }] : [{ apiKey: [] }, { session: [] }];
}

function scopeNote({ scope, pluginKeys }: Route): string {
  if (scope === 'open' || scope === 'token') return '';
  const plugins =
    pluginKeys === undefined ? '' : pluginKeys === 'own' ? ', or `plugin:{id}`' : ', or a `plugin:…` scope';
  return `Needs a key with the scope \`${scope}\`${plugins}.`;
}

function toPathParameters(route: Route): object[] {
  return Object.entries(route.params ?? {}).map(([name, { description: text, ...schema }]) => ({
    name,
    in: 'path',
    required: true,
    description: text,
    schema,
  }));
}

interface QueryParameter {
  readonly type?: string;
  readonly description?: string;
  readonly 'x-repeated'?: boolean;
}

function toQueryParameters(route: Route): object[] {
  const query = (route.query ?? {}) as {
    readonly properties?: Readonly<Record<string, QueryParameter>>;
    readonly required?: readonly string[];
  };
  return Object.entries(query.properties ?? {}).map(([name, { description: text, ...schema }]) => ({
    name,
    in: 'query',
    required: query.required?.includes(name) ?? false,
    description: text ?? '',
    ...styleOf(schema),
    schema: renderSchema(schema, 'request'),
  }));
}

/** Values of one parameter are separated by commas, or the parameter is repeated; an object's properties are parameters. */
function styleOf({ type, 'x-repeated': isRepeated = false }: QueryParameter): object {
  if (type === 'object') return { style: 'form', explode: true };
  return type === 'array' ? { style: 'form', explode: isRepeated } : {};
}

function toRequestBody(route: Route): object | undefined {
  const content = {
    ...(route.body && { 'application/json': toContent(route.body, route.bodyExamples) }),
    ...(route.multipart && { 'multipart/form-data': toContent(route.multipart.schema) }),
    ...Object.fromEntries(
      Object.entries(route.rawBody ?? {}).map(([type, { schema, examples }]) => [
        type,
        toContent(schema, examples),
      ]),
    ),
  };
  return Object.keys(content).length === 0 ? undefined : { required: route.bodyOptional !== true, content };
}

function toContent(schema: object, examples?: Examples): object {
  return { schema: renderSchema(schema, 'request'), ...toExamples(examples, schema) };
}

function toResponses(route: Route): Record<string, object> {
  const notModified: ResponseSpec = { description: 'Nothing has changed.' };
  const responses = takesIfNoneMatch(route) ? { ...route.responses, 304: notModified } : route.responses;
  return Object.fromEntries(
    Object.entries(responses).map(([status, { description: text, schema, mediaType, headers, examples }]) => [
      status,
      {
        description: text,
        ...toHeaders({ ...(route.tagged === true && status !== '204' && etagHeader), ...headers }),
        ...((schema ?? mediaType) !== undefined && {
          content: {
            [mediaType ?? 'application/json']: {
              ...(schema && { schema: renderSchema(schema, 'answer') }),
              ...toExamples(examples, schema),
            },
          },
        }),
      },
    ]),
  );
}

function toErrors(route: Route): Record<string, object> {
  const codes = errorCodesOf(route);
  const statuses = new Set(codes.map((code) => errorStatus[code]));
  return Object.fromEntries(
    [...statuses]
      .filter((status) => !(status in route.responses))
      .map((status) => [
        status,
        toError(
          route,
          status,
          codes.filter((code) => errorStatus[code] === status),
        ),
      ]),
  );
}

function toError(route: Route, status: number, codes: readonly ErrorCode[]): object {
  const code = { properties: { error: { properties: { code: { enum: codes } } } } };
  return {
    description: codes.join(', '),
    ...toHeaders({
      ...((status === 503 || status === 429 || codes.includes('IDEMPOTENCY_IN_PROGRESS')) && {
        'Retry-After': 'Seconds after which to try again.',
      }),
      ...(status === 401 && { 'WWW-Authenticate': 'Bearer' }),
    }),
    content: {
      'application/json': {
        schema: { allOf: [renderSchema(errorSchema, 'answer'), code] },
        ...toErrorExamples(route, codes),
      },
    },
  };
}

function toHeaders(headers: Readonly<Record<string, string>>): { headers?: Record<string, object> } {
  const entries = Object.entries(headers).map(
    ([name, text]) => [name, { description: text, schema: { type: 'string' } }] as const,
  );
  return entries.length === 0 ? {} : { headers: Object.fromEntries(entries) };
}
