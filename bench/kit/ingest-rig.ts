import { followCompletions, type Completions } from './completions.js';
import { startParts, type Parts, type RunningApi } from './parts.js';
import { startSending, type Sending, type SentFile } from './sending.js';

/** How many small files may be sent at once. */
const connections = 256;

/** The service as a user has it, and what a user does with it. */
export interface IngestRig {
  readonly parts: Parts;
  readonly api: RunningApi;
  readonly worker: { readonly pid: number };
  /** Registers a file. Returns the id. */
  send(file: SentFile, type: string, name: string): Promise<string>;
  /** How many registrations were answered 503 so far. */
  refused(): number;
  /** Resolves with whether the resource became COMPLETED, once it is over. */
  isCompleted(id: string): Promise<boolean>;
  /** Registers a file and waits for its end. Returns the id, or null when it did not become COMPLETED. */
  ingest(file: SentFile, type: string, name?: string): Promise<string | null>;
  /** The text that was extracted from it. */
  textOf(id: string): Promise<string>;
  /** How many resources of a name are not COMPLETED, and how many attempts beyond the first their steps took. */
  wrongOf(name: string): Promise<{ readonly failed: number; readonly attempts: number }>;
  stop(): Promise<void>;
}

/**
 * Starts API and worker with the pipelines that a new service has, of which `document` is one; one of `extract-text`
 * alone, `text`; and `hurried`, which is `document` with ten seconds for each step.
 */
export async function startIngestRig(): Promise<IngestRig> {
  const parts = await startParts();
  let sending: Sending | undefined;
  let completions: Completions | undefined;
  const stop = async (): Promise<void> => {
    await completions?.close();
    await sending?.close();
    await parts.stop();
  };
  try {
    const api = await parts.startApi();
    const worker = await parts.startWorker();
    const sender = (sending = startSending(api, connections));
    const followed = (completions = await followCompletions(api.base, api.key));
    const pipeline = (name: string, steps: readonly object[]): Promise<unknown> =>
      api.client.expect(201, 'POST', '/pipelines', { name, trigger_type: name, steps });
    await pipeline('text', [{ plugin_id: 'extract-text', timeout_seconds: 600 }]);
    await pipeline('hurried', [
      { plugin_id: 'extract-text', timeout_seconds: 10 },
      { plugin_id: 'chunk-text', timeout_seconds: 10 },
    ]);
    const isCompleted = (id: string): Promise<boolean> =>
      followed.of(id).then(
        () => true,
        () => false,
      );
    const send: IngestRig['send'] = (file, type, name) => sender.send(file, type, name);
    return {
      parts,
      api,
      worker,
      send,
      refused: () => sender.refused(),
      isCompleted,
      async ingest(file, type, name = 'bench') {
        const id = await send(file, type, name);
        return (await isCompleted(id)) ? id : null;
      },
      async textOf(id) {
        const resource = await api.client.expect(200, 'GET', `/resources/${id}`);
        return (await api.client.artifact(resource, 'text')).content as string;
      },
      async wrongOf(name) {
        const count = async (rowsOf: string): Promise<number> => {
          const { rows } = await parts.db.raw<{ rows: [{ count: string }] }>(
            `select count(*) from ${rowsOf}`,
            [name],
          );
          return Number(rows[0].count);
        };
        return {
          failed: await count(`resources where name = ? and status <> 'COMPLETED'`),
          attempts: await count(
            `attempts join resources on resources.id = attempts.resource_id where name = ? and number > 1`,
          ),
        };
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
