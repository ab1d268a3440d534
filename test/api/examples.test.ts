import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { errorStatus, type ErrorCode } from '../../core/errors.js';
import { errorExample } from '../../api/openapi/error-examples.js';
import { routes } from '../../api/routes/index.js';
import { startApi, type TestApi } from '../support/service/api.js';
import { createContract } from '../support/service/contract.js';

interface Content {
  readonly schema?: object;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}
interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: any }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: Readonly<Record<string, Content>> }>
  >;
}
interface Entry {
  readonly name: string;
  readonly method: string;
  /** From the root, with the examples of its parameters. */
  readonly path: string;
  /** A JSON Pointer into the document. */
  readonly pointer: string;
  readonly operation: Operation;
}

const escape = (segment: string): string => segment.replaceAll('~', '~0').replaceAll('/', '~1');
/** The one event of a stream. */
const eventIn = (frame: string): object => {
  const { data, ...fields } = Object.fromEntries(
    frame
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/: (.*)/)),
  );
  return { ...fields, data: JSON.parse(data) };
};
const valuesOf = ({ examples = {} }: Content): unknown[] => Object.values(examples).map(({ value }) => value);

describe('the examples of the OpenAPI document', () => {
  let api: TestApi;
  let document: any;
  let entries: Entry[];
  let validate: (pointer: string, value: unknown, what: string) => void;

  before(async () => {
    api = await startApi();
    ({ body: document } = await api.call('GET', '/openapi.json'));
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats.default(ajv);
    ajv.addSchema(document, 'document');
    validate = (pointer, value, what) => {
      const check = ajv.compile({ $ref: `document#${pointer}` });
      assert.ok(check(value), `${what}: ${ajv.errorsText(check.errors)}`);
    };
    entries = Object.entries<Record<string, any>>(document.paths).flatMap(([template, item]) =>
      Object.entries<Operation>(item).map(([verb, operation]) => {
        const exampleOf = (name: string): string =>
          operation.parameters.find((each) => each.in === 'path' && each.name === name)?.schema.examples[0];
        const path = template.replace(/\{(\w+)\}/g, (_, name: string) => exampleOf(name));
        return {
          name: operation.operationId,
          method: verb.toUpperCase(),
          path,
          pointer: `/paths/${escape(template)}/${verb}`,
          operation,
        };
      }),
    );
  });
  after(() => api.stop());

  it('exist for every operation: parameters, requests of each media type, responses and errors', () => {
    const missing = entries.flatMap(({ name, operation: { parameters, requestBody, responses } }) => {
      const requests = Object.entries(requestBody?.content ?? {});
      const answers = Object.entries(responses).flatMap(([status, { content = {} }]) =>
        Object.entries(content).map(([type, each]) => [`${status} ${type}`, each] as const),
      );
      return [
        ...parameters
          .filter(
            ({ in: place, schema }) =>
              place !== 'header' && !('$ref' in schema || 'enum' in schema || schema.examples?.[0]),
          )
          .filter(({ schema }) => !['array', 'boolean'].includes(schema.type))
          .map((parameter) => parameter.name),
        ...[...requests, ...answers].filter(([, each]) => valuesOf(each).length === 0).map(([what]) => what),
      ].map((what) => `${name}: ${what}`);
    });
    assert.deepEqual(missing, []);
  });

  it('include one for each error code', () => {
    for (const { name, operation } of entries) {
      for (const [status, { content }] of Object.entries(operation.responses)) {
        // Without a content it is a reference to what any operation may answer.
        if (Number(status) < 400 || content === undefined || name === 'checkReadiness') continue;
        const shown = valuesOf(content['application/json']!).map((value: any) => value.error.code);
        assert.equal(shown.join(', '), operation.responses[status]!.description, `${name} ${status}`);
      }
    }
  });

  it('match their schemas', function () {
    const check = createContract(document);
    for (const { name, method, path, pointer, operation } of entries) {
      for (const { name: parameter, schema } of operation.parameters)
        for (const value of schema.examples ?? []) {
          const index = operation.parameters.findIndex((each) => each.name === parameter);
          validate(`${pointer}/parameters/${index}/schema`, value, `${name} ${parameter}`);
        }
      for (const [type, content] of Object.entries(operation.requestBody?.content ?? {}))
        for (const value of valuesOf(content))
          validate(`${pointer}/requestBody/content/${escape(type)}/schema`, value, `${name} ${type}`);
      for (const [status, { content = {} }] of Object.entries(operation.responses))
        for (const [contentType, each] of Object.entries(content))
          for (const value of valuesOf(each)) {
            const body = typeof value === 'string' ? value : JSON.stringify(value);
            check({ method, path, status: Number(status), contentType, body });
            const place = `${pointer}/responses/${status}/content/${escape(contentType)}/schema`;
            validate(place, value, `${name} ${status} ${contentType}`);
            if (contentType === 'text/event-stream')
              validate(`${place}/contentSchema`, eventIn(value as string), name);
          }
    }
  });

  it('of named schemas match them too', () => {
    for (const [name, schema] of Object.entries<any>(document.components.schemas))
      for (const value of schema.examples ?? []) validate(`/components/schemas/${name}`, value, name);
  });

  it('of requests are accepted by the service, in the order of the story', async () => {
    const examplesOf = (name: string, type = 'application/json'): any[] => {
      const { operation } = entries.find((entry) => entry.name === name)!;
      return valuesOf(operation.requestBody!.content[type]!);
    };
    const taken = async (method: string, path: string, given: any, status: number): Promise<any> => {
      // What a config schema is checked by has two seconds, which a busy machine may not have.
      const { config_schema: configSchema, ...rest } = given ?? {};
      if (configSchema !== undefined) new Ajv2020().compile(configSchema);
      const body = configSchema === undefined ? given : rest;
      const answer = await api.call(method, path, body);
      assert.equal(answer.status, status, `${method} ${path} ${JSON.stringify(body)} → ${answer.text}`);
      return answer.body;
    };
    const each = async (name: string, method: string, path: string, status: number): Promise<any> => {
      let last: any;
      for (const body of examplesOf(name)) last = await taken(method, path, body, status);
      return last;
    };
    for (const id of ['extract-text', 'chunk-text'])
      await taken(
        'PUT',
        `/plugins/${id}`,
        { name: id, kind: 'activity', task_queue: 'q', activity_type: id },
        201,
      );
    await each('replacePluginConfig', 'PUT', '/plugins/chunk-text/config', 200);
    await each('createPlugin', 'POST', '/plugins', 201);
    await each('registerPlugin', 'PUT', '/plugins/ocr', 200);
    const { id: pipelineId } = await each('createPipeline', 'POST', '/pipelines', 201);
    await each('replacePipeline', 'PUT', `/pipelines/${pipelineId}`, 200);
    await each('registerResource', 'POST', '/resources', 201);
    const [{ file, ...fields }] = examplesOf('registerResource', 'multipart/form-data');
    const { status, body: resource } = await api.upload(fields, file);
    assert.deepEqual([status, resource.status], [201, 'PROCESSING']);
    await each('updateResource', 'PATCH', `/resources/${resource.id}`, 200);
    const stop = () => taken('POST', `/resources/${resource.id}/cancel`, undefined, 202);
    await stop();
    for (const body of examplesOf('reprocessResource')) {
      // Nothing runs here: no step before the second one has completed.
      const isResumable = body.from_step !== 1;
      await taken('POST', `/resources/${resource.id}/reprocess`, body, isResumable ? 202 : 409);
      if (isResumable) await stop();
    }
    await each('reprocessResources', 'POST', '/resources/reprocess', 202);
  });

  it('of errors match what the service returns', async () => {
    const shown = (name: string, code: ErrorCode): any =>
      errorExample(
        routes.find(({ operationId }) => operationId === name)!,
        code,
      );
    const same = async (
      name: string,
      code: ErrorCode,
      method: string,
      path: string,
      body?: unknown,
      init = {},
    ) => {
      const answer = await api.call(method, path, body, init);
      assert.equal(answer.status, errorStatus[code], `${name} ${code}: ${answer.text}`);
      const { error } = shown(name, code);
      assert.deepEqual(answer.body.error, error, `${name} ${code}`);
    };
    const pathOf = (name: string): string =>
      entries.find((entry) => entry.name === name)!.path.replace('/api/v1', '');
    const steps = [{ plugin_id: 'orc' }];
    const url = { name: 'Local', type: 'webpage', source: { kind: 'URL', url: 'http://127.0.0.1/' } };
    const ocr = { id: 'ocr', name: 'OCR', kind: 'activity', task_queue: 'q', activity_type: 'a' };
    await same('listResources', 'UNAUTHENTICATED', 'GET', '/resources', undefined, { bearer: null });
    await same('createPipeline', 'FORBIDDEN', 'POST', '/pipelines', {}, { bearer: await api.key('read') });
    await same('listResources', 'VALIDATION_FAILED', 'GET', '/resources?limit=201');
    await same('getPipeline', 'VALIDATION_FAILED', 'GET', `${pathOf('getPipeline')}?verbose=1`);
    await same('createPipeline', 'VALIDATION_FAILED', 'POST', '/pipelines', { trigger_type: 'a', steps });
    await same('createPipeline', 'UNKNOWN_PLUGIN', 'POST', '/pipelines', {
      name: 'a',
      trigger_type: 'a',
      steps,
    });
    await same('createPipeline', 'MALFORMED_BODY', 'POST', '/pipelines', '');
    await same('createPipeline', 'UNSUPPORTED_MEDIA_TYPE', 'POST', '/pipelines', 'a', {
      headers: { 'content-type': 'text/plain' },
    });
    await same('getResource', 'NOT_FOUND', 'GET', pathOf('getResource'));
    await same('getArtifact', 'NOT_FOUND', 'GET', pathOf('getArtifact'));
    await same('registerResource', 'URL_NOT_ALLOWED', 'POST', '/resources', url);
    await same('replacePluginConfig', 'INVALID_PLUGIN', 'PUT', '/plugins/chunk-text/config', { config: 1 });
    await api.call('PUT', '/plugins/ocr', ocr);
    await same('createPlugin', 'PLUGIN_EXISTS', 'POST', '/plugins', ocr);
    const documents = { name: 'Documents', trigger_type: 'document', steps: [{ plugin_id: 'ocr' }] };
    await api.call('POST', '/pipelines', documents);
    await same('createPipeline', 'TRIGGER_TYPE_TAKEN', 'POST', '/pipelines', documents);
  });
});
