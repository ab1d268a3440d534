import { followCompletions } from './completions.js';
import { startParts, type Parts, type RunningApi } from '../parts.js';
import { startSending, type Sending, type SentFile } from './sending.js';

/** The maximum number of small files that are sent concurrently. */
const connections = 256;

/** The service as installed by a user, and the actions of a user. */
export interface IngestRig {
  readonly parts: Parts;
  readonly api: RunningApi;
  readonly worker: { readonly pid: number };
  readonly sending: Sending;
  /** Waits until the resource has settled. Resolves with whether it became COMPLETED. */
  isCompleted(id: string): Promise<boolean>;
  /** Registers a file and waits until it has settled. Returns the id, or null if it did not become COMPLETED. */
  ingest(file: SentFile, type: string, name?: string): Promise<string | null>;
  /** Returns the extracted text. */
  textOf(id: string): Promise<string>;
  /**
   * Returns the number of resources of a name that are not COMPLETED, and of their steps' attempts beyond the first, with
   * a few of the unsuccessful attempts.
   */
  wrongOf(name: string): Promise<{
    readonly failed: number;
    readonly attempts: number;
    readonly unsuccessful: readonly object[];
  }>;
  stop(): Promise<void>;
}

/**
 * Starts API and worker with the default pipelines, including `document`; `text` with `extract-text` only; and
 * `hurried`, which is `document` with a limit of ten seconds for each step.
 */
export async function startIngestRig(): Promise<IngestRig> {
  const parts = await startParts();
  const api = await parts.startApi();
  const worker = await parts.startWorker();
  const sending = startSending(api, connections);
  const completions = await followCompletions(api.base, api.key);
  await api.addPipeline('text', [{ plugin_id: 'extract-text', timeout_seconds: 600 }]);
  await api.addPipeline('hurried', [
    { plugin_id: 'extract-text', timeout_seconds: 10 },
    { plugin_id: 'chunk-text', timeout_seconds: 10 },
  ]);
  const isCompleted = (id: string): Promise<boolean> =>
    completions.of(id).then(
      () => true,
      () => false,
    );
  return {
    parts,
    api,
    worker,
    sending,
    isCompleted,
    async ingest(file, type, name = 'bench') {
      const id = await sending.send(file, type, name);
      return (await isCompleted(id)) ? id : null;
    },
    async textOf(id) {
      const resource = await api.client.expect(200, 'GET', `/resources/${id}`);
      return (await api.client.artifact(resource, 'text')).content as string;
    },
    async wrongOf(name) {
      const attempts =
        'attempts join resources on resources.id = attempts.resource_id where name = ? and number > 1';
      return {
        failed: await parts.count(`resources where name = ? and status <> 'COMPLETED'`, [name]),
        attempts: await parts.count(attempts, [name]),
        unsuccessful: await parts
          .db('attempts')
          .join('resources', 'resources.id', 'attempts.resource_id')
          .where({ name })
          .whereRaw(`outcome is distinct from 'SUCCESS'`)
          .orderBy('attempts.started_at')
          .limit(20)
          .select('attempts.*'),
      };
    },
    async stop() {
      await completions.close();
      await sending.close();
      await parts.stop();
    },
  };
}
