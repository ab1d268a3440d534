import { errorStatus, type ErrorCode } from '../../core/errors.js';
import type { Examples, ResponseSpec, Route } from '../route.js';
import { errorSchema } from '../schemas/common.js';
import { errorCodesOf } from './error-codes.js';
import { toErrorExamples, toExamples } from './examples.js';
import { etagHeader, replayedHeader, takesIfNoneMatch, toHeaderParameters } from './headers.js';
import { mapValues } from './map-values.js';
import { refusalReferences } from './refusals.js';
import { toResponseContent } from './response-content.js';
import type { SchemaRenderer } from './schema-renderer.js';
import type { Operation } from './types.js';

export function toOperation(route: Route, schemas: SchemaRenderer): Operation {
  const body = toRequestBody(route, schemas);
  return {
    operationId: route.operationId,
    summary: route.summary,
    description: [route.description, scopeNote(route)].filter(Boolean).join('\n\n'),
    tags: [route.tag],
    security: securityOf(route),
    parameters: [
      ...toPathParameters(route),
      ...toQueryParameters(route, schemas),
      ...toHeaderParameters(route),
    ],
    ...(body === undefined ? {} : { requestBody: body }),
    responses: { ...toResponses(route, schemas), ...toErrors(route, schemas), ...refusalReferences },
  };
}

function securityOf({ scope }: Route): Operation['security'] {
  if (scope === 'open') return [];
  return scope === 'token' ? [{ callbackToken: [] }] : [{ apiKey: [] }, { sessionCookie: [] }];
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

function toQueryParameters(route: Route, schemas: SchemaRenderer): object[] {
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
    schema: schemas.render(schema, 'request', `${route.operationId} ${name}`),
  }));
}

/**
 * Returns the serialization style of a parameter: comma-separated values, a repeated parameter, or one parameter per
 * property of an object.
 */
function styleOf({ type, 'x-repeated': isRepeated = false }: QueryParameter): object {
  if (type === 'object') return { style: 'form', explode: true };
  return type === 'array' ? { style: 'form', explode: isRepeated } : {};
}

function toRequestBody(route: Route, schemas: SchemaRenderer): object | undefined {
  const { body, bodyExamples, multipart, rawBody = {}, operationId } = route;
  const contentOf = (schema: object, ending: string, examples?: Examples): object => ({
    schema: schemas.render(schema, 'request', `${operationId} ${ending}`),
    ...toExamples(examples, schema),
  });
  const content = {
    ...(body && { 'application/json': contentOf(body, 'request', bodyExamples) }),
    ...(multipart && { 'multipart/form-data': contentOf(multipart.schema, 'form') }),
    ...mapValues(rawBody, ({ schema, examples }) => contentOf(schema, 'request', examples)),
  };
  return Object.keys(content).length === 0 ? undefined : { required: route.bodyOptional !== true, content };
}

function toResponses(route: Route, schemas: SchemaRenderer): Record<string, object> {
  const { ETag: etag } = route.responses[200]?.headers ?? {};
  const notModified: ResponseSpec = {
    description: 'The object has not changed.',
    ...(etag !== undefined && { headers: { ETag: etag } }),
  };
  const responses = takesIfNoneMatch(route) ? { ...route.responses, 304: notModified } : route.responses;
  return mapValues(responses, (response, status) => ({
    description: response.description,
    ...toHeaders({
      ...(route.tagged === true && status !== '204' && etagHeader),
      ...response.headers,
      ...(route.idempotent === true && replayedHeader),
    }),
    ...toResponseContent(response, schemas, `${route.operationId} ${status < '300' ? '' : status} response`),
  }));
}

function toErrors(route: Route, schemas: SchemaRenderer): Record<string, object> {
  const codes = errorCodesOf(route);
  const statuses = new Set(codes.map((code) => errorStatus[code]));
  return Object.fromEntries(
    [...statuses]
      .filter((status) => !(status in route.responses))
      .map((status) => {
        const ofStatus = codes.filter((code) => errorStatus[code] === status);
        return [status, toError(route, status, ofStatus, schemas)];
      }),
  );
}

function toError(route: Route, status: number, codes: readonly ErrorCode[], schemas: SchemaRenderer): object {
  return {
    description: codes.join(', '),
    ...toHeaders({
      ...((status === 503 || status === 429 || codes.includes('IDEMPOTENCY_IN_PROGRESS')) && {
        'Retry-After': 'The number of seconds to wait before you try again.',
      }),
      ...(status === 401 && { 'WWW-Authenticate': 'Bearer' }),
    }),
    content: {
      'application/json': {
        schema: schemas.render(errorSchema, 'response', 'Error'),
        ...toErrorExamples(route, codes),
      },
    },
  };
}

function toHeaders(headers: Readonly<Record<string, string>>): { headers?: Record<string, object> } {
  if (Object.keys(headers).length === 0) return {};
  return { headers: mapValues(headers, (text) => ({ description: text, schema: { type: 'string' } })) };
}
