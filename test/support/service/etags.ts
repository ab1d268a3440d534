import assert from 'node:assert/strict';
import type { WorkflowClient } from '../../../runtime/temporal/workflow-client.js';
import { startApi, type Answer, type TestApi } from './api.js';

/** An API whose pipeline for documents has two steps of the plugin `worker`, with helpers for ETags. */
export interface Tagged {
  readonly api: TestApi;
  readonly get: (path: string, headers?: Record<string, string>) => Promise<Answer>;
  /** Reads a path and returns its ETag, which must be strong. */
  readonly tagOf: (path: string) => Promise<string>;
  /** Changes something if it still has the given tag. */
  readonly change: (method: string, path: string, body: unknown, match?: string) => Promise<Answer>;
  /** Registers a URL as a resource of a type. Returns its id. */
  readonly register: (type: string) => Promise<string>;
  /** Registers a plugin. Returns its id. */
  readonly plugin: (more?: object) => Promise<string>;
}

export const source = { kind: 'URL', url: 'https://example.com/report.html' };
export const worker = { name: 'W', kind: 'activity', task_queue: 'q', activity_type: 'a' } as const;
export const strong = /^"[\x21\x23-\x7e]+"$/;

/** Starts the API. The number of pollers of `worker` is different in each response. */
export async function startTagged(workflows: Partial<WorkflowClient> = {}): Promise<Tagged> {
  let pollers = 0;
  let plugins = 0;
  const api = await startApi({
    workflows: {
      readPolling: () =>
        Promise.resolve({ pollers: (pollers += 1), lastPolledAt: new Date('2026-01-02T03:04:05.678Z') }),
      ...workflows,
    },
  });
  const get: Tagged['get'] = async (path, headers = {}) =>
    await api.call('GET', path, undefined, { headers });
  await api.call('PUT', '/plugins/worker', worker);
  const steps = [{ plugin_id: 'worker' }, { plugin_id: 'worker' }];
  await api.call('POST', '/pipelines', { name: 'Two steps', trigger_type: 'document', steps });
  return {
    api,
    get,
    async tagOf(path) {
      const tag = (await get(path)).headers.get('etag') ?? '';
      assert.match(tag, strong, path);
      return tag;
    },
    change: async (method, path, body, match) =>
      await api.call(method, path, body, match === undefined ? {} : { headers: { 'if-match': match } }),
    register: async (type) => (await api.call('POST', '/resources', { name: 'N', type, source })).body.id,
    async plugin(more = {}) {
      const id = `plugin-${(plugins += 1)}`;
      assert.equal((await api.call('PUT', `/plugins/${id}`, { ...worker, ...more })).status, 201);
      return id;
    },
  };
}
