import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { fullPath } from '../../api/route.js';
import { routes } from '../../api/routes/index.js';
import { startApi, type TestApi } from '../support/service/api.js';

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  readonly version: string;
};

describe('the OpenAPI document', () => {
  let api: TestApi;

  let document: any;

  before(async () => {
    api = await startApi();
    ({ body: document } = await api.call('GET', '/openapi.json', undefined, { bearer: null }));
  });
  after(() => api.stop());

  it('is a valid OpenAPI 3.1 document', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    assert.equal(valid, true, JSON.stringify(errors, null, 2));
    assert.match(document.openapi, /^3\.1\./);
  });

  it('has every route, and no others', () => {
    const documented = Object.entries<object>(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const declared = routes.map((route) => `${route.method} ${fullPath(route).replace(/:(\w+)/g, '{$1}')}`);
    assert.deepEqual(documented.sort(), declared.sort());
    assert.equal(new Set(routes.map((route) => route.operationId)).size, routes.length);
  });

  it('covers the whole interface of the specification', () => {
    const expected = {
      '/resources': ['get', 'post'],
      '/resources/{id}': ['get', 'patch', 'delete'],
      '/resources/{id}/artifacts/{artifactId}': ['get'],
      '/resources/{id}/reprocess': ['post'],
      '/resources/{id}/toggle': ['put'],
      '/pipelines': ['get', 'post'],
      '/pipelines/{id}': ['put', 'delete'],
      '/plugins': ['get'],
      '/plugins/{id}': ['get', 'delete'],
      '/plugins/{id}/toggle': ['put'],
      '/plugins/{id}/config': ['put'],
    };
    for (const [path, methods] of Object.entries(expected)) {
      for (const method of methods)
        assert.ok(document.paths[`/api/v1${path}`]?.[method], `${method} ${path}`);
    }
  });

  it('describes every parameter, and has a schema for every JSON body', () => {
    for (const [path, item] of Object.entries<Record<string, never>>(document.paths)) {
      for (const [method, operation] of Object.entries<any>(item)) {
        const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
        const inPath = operation.parameters
          .filter((each: any) => each.in === 'path')
          .map((each: any) => each.name);
        assert.deepEqual(inPath.sort(), names.sort(), `${method} ${path}`);
        for (const parameter of operation.parameters)
          assert.ok(parameter.description, `${method} ${path} ${parameter.name}`);
        const json = operation.requestBody?.content['application/json'];
        if (json !== undefined)
          assert.ok(json.schema.$ref ?? json.schema.type ?? json.schema.anyOf, `${method} ${path}`);
      }
    }
    assert.doesNotMatch(JSON.stringify(document), /"x-/);
  });

  it('describes the ETag of a 304 like that of the 200', () => {
    const responses = Object.values<any>(document.paths).map(({ get }) => get?.responses ?? {});
    const unchanged = responses.filter((each) => each['304'] !== undefined);
    assert.ok(unchanged.length > 0);
    for (const each of unchanged) assert.deepEqual(each['304'].headers.ETag, each['200'].headers.ETag);
  });

  it('has a named component for every object, so that generated clients have one class for each', () => {
    const inline: string[] = [];
    const look = (value: any, at: string): void => {
      if (typeof value !== 'object' || value === null) return;
      if (value.properties !== undefined) inline.push(at);
      for (const [key, each] of Object.entries(value))
        if (!['examples', 'if', 'then', 'else', 'not', 'allOf'].includes(key)) look(each, `${at}/${key}`);
    };
    look(document.paths, 'paths');
    for (const [name, schema] of Object.entries<any>(document.components.schemas)) {
      assert.equal(schema.title, undefined, name);
      const { properties, ...rest } = schema;
      look(rest, name);
      for (const [key, property] of Object.entries(properties ?? {})) look(property, `${name}.${key}`);
    }
    assert.deepEqual(inline, []);
    assert.equal(document.info.version, manifest.version);
  });

  it('uses no names reserved by client generators, and no keywords unknown to them', () => {
    const names = Object.keys(document.components.schemas);
    const upper = (name: string): string => name[0]!.toUpperCase() + name.slice(1);
    // oapi-codegen has types of these names for every operation; ogen a type for every security scheme and choice.
    const ofOperations = routes.flatMap(({ operationId }) =>
      ['Response', 'Params', 'JSONBody', 'JSONRequestBody'].map((ending) => upper(operationId) + ending),
    );
    const ofSchemes = Object.keys(document.components.securitySchemes).map(upper);
    const ofChoices = names
      .filter((name) => document.components.schemas[name].oneOf !== undefined)
      .map((name) => `${name}Type`);
    const taken = new Set([...ofOperations, ...ofSchemes, ...ofChoices]);
    assert.deepEqual(
      names.filter((name) => taken.has(name)),
      [],
    );
    assert.doesNotMatch(JSON.stringify(document), /"exclusiveM/);
    const { discriminator, oneOf } = document.components.schemas.ArtifactContent;
    assert.deepEqual(Object.keys(discriminator.mapping), ['text', 'json', 'vector']);
    assert.equal(oneOf.length, 3);
  });

  it('describes every property of a named schema', () => {
    const silent: string[] = [];
    const look = (schema: any, at: string): void => {
      for (const [name, property] of Object.entries<any>(schema.properties ?? {})) {
        const speaksForItself = property.$ref !== undefined || property.const !== undefined;
        if (property.description === undefined && !speaksForItself) silent.push(`${at}.${name}`);
        look(property, `${at}.${name}`);
      }
      if (schema.items !== undefined) look(schema.items, at);
      for (const each of [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])]) look(each, at);
    };
    for (const [name, schema] of Object.entries(document.components.schemas)) look(schema, name);
    assert.deepEqual(silent, []);
  });

  it('is shown as a page that makes no requests to other hosts', async () => {
    const { status, text, headers } = await api.call('GET', '//docs', undefined, { bearer: null });
    assert.equal(status, 200);
    const loaded = [...text.matchAll(/(?:src|<link[^>]* href)="([^"]*)"/g)].map(([, url]) => url!);
    assert.ok(loaded.length > 3);
    for (const url of loaded) assert.match(url, /^(data:,|docs\/assets\/[0-9a-f]{16}\/[a-z-]+\.(js|css))$/);
    const policy = headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self'; .*connect-src 'self'/);
    assert.doesNotMatch(policy, /unsafe|https?:|\*/);
  });
});
