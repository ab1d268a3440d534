import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Answer } from './core.js';
import { eventually } from '../eventually.js';

/** A client of a running service, which knows only its URL and a key. */
export interface RestClient {
  /** Calls the API below /api/v1. A body is sent as JSON unless it is a form. */
  call(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Makes a call that must have this status. Returns the body. */
  expect(status: number, method: string, path: string, body?: unknown): Promise<Answer['body']>;
  /** Registers a file of test/fixtures, or these contents. Returns the resource. */
  upload(
    type: string,
    content: { readonly fixture: string } | { readonly text: string | Buffer; readonly name?: string },
  ): Promise<Answer['body']>;
  /** Registers a URL. Returns the resource. */
  addUrl(type: string, url: string): Promise<Answer['body']>;
  /** Waits until a resource is no longer PROCESSING. */
  settled(id: string, timeoutMs?: number): Promise<Answer['body']>;
  /** Returns the only artifact of a type from its endpoint, with its content. */
  artifact(resource: Answer['body'], type: string): Promise<Answer['body']>;
}

export function createRestClient({
  api,
  adminKey,
}: {
  readonly api: string;
  readonly adminKey: string;
}): RestClient {
  const call: RestClient['call'] = async (method, path, body) => {
    const isForm = body instanceof FormData;
    const response = await fetch(`${api}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${adminKey}`,
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? null : JSON.parse(text),
    };
  };
  const expect: RestClient['expect'] = async (status, method, path, body) => {
    const answer = await call(method, path, body);
    if (answer.status !== status) {
      throw new Error(`${method} ${path} was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    }
    return answer.body;
  };
  return {
    call,
    expect,
    async upload(type, content) {
      const name =
        'fixture' in content
          ? basename(content.fixture)
          : (content.name ??
            `${content.text
              .toString('utf8')
              .slice(0, 40)
              .replace(/\p{Cc}/gu, ' ')}.txt`);
      const bytes =
        'fixture' in content
          ? await readFile(new URL(`../../fixtures/${content.fixture}`, import.meta.url))
          : Buffer.from(content.text);
      const form = new FormData();
      form.set('name', name);
      form.set('type', type);
      form.set('source', JSON.stringify({ kind: 'UPLOAD' }));
      form.set('file', new Blob([new Uint8Array(bytes)]), name);
      return await expect(201, 'POST', '/resources', form);
    },
    addUrl: (type, url) =>
      expect(201, 'POST', '/resources', { name: url, type, source: { kind: 'URL', url } }),
    settled: (id, timeoutMs = 300_000) =>
      eventually(
        async () => {
          const resource = await expect(200, 'GET', `/resources/${id}`);
          return resource.status !== 'PROCESSING' && resource;
        },
        { timeoutMs },
      ),
    async artifact(resource, type) {
      const found = resource.artifacts.filter((artifact: { type: string }) => artifact.type === type);
      if (found.length !== 1) throw new Error(`${found.length} artifacts of the type ${type}`);
      return await expect(200, 'GET', `/resources/${resource.id}/artifacts/${found[0].id}`);
    },
  };
}
