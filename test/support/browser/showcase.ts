import { readFile } from 'node:fs/promises';
import { definePlugin, runHttpWorker, type AnyPlugin } from '@knowledge-warehouse/plugin';
import { connectDatabase } from '../../../storage/database/connection.js';
import { eventually } from '../eventually.js';
import { createRestClient, type RestClient } from '../service/rest-client.js';
import { temporaryFolder } from '../temporary.js';

/** A service with an example of everything that the page shows. */
export interface Showcase {
  /** A resource that an external worker processed, with artifacts of each kind. */
  readonly done: string;
  readonly failed: string;
  /** A resource in the middle of a step. */
  readonly processing: string;
  /** A resource without a matching pipeline. */
  readonly pending: string;
  /** The pipeline of `done`, `failed` and `processing`. */
  readonly pipeline: string;
  stop(): Promise<void>;
}

/**
 * A plugin whose config has a field of each kind. It holds resources with "Annual" in their name until it is stopped.
 */
const summarise: AnyPlugin = definePlugin({
  id: 'summarise',
  name: 'Summaries',
  version: '2.1.0',
  description: 'Writes a summary of a text, and says what it is about.',
  configSchema: {
    type: 'object',
    required: ['model'],
    properties: {
      model: { type: 'string', title: 'Model', description: 'As the server knows it.' },
      language: { type: 'string', title: 'Language', enum: ['English', 'German', 'Dutch'] },
      sentences: { type: 'integer', title: 'Sentences', minimum: 1, maximum: 20, default: 5 },
      bullets: { type: 'boolean', title: 'As a list', default: false },
      leave_out: { type: 'array', items: { type: 'string' }, title: 'Leave out' },
      api_key: { type: 'string', title: 'API key', writeOnly: true },
      sampling: {
        type: 'object',
        title: 'Sampling',
        properties: { temperature: { type: 'number', minimum: 0, maximum: 2, default: 0.2 } },
      },
    },
  },
  produces: ['summary', 'topics', 'embedding'],
  async run(ctx) {
    if (ctx.resource.name.includes('Annual')) {
      ctx.progress(0.4, 'Page 4 of 10');
      await new Promise((stopped) => ctx.signal.addEventListener('abort', stopped, { once: true }));
      return;
    }
    await ctx.emit({ type: 'summary', content_type: 'text', content: summary });
    await ctx.emit({ type: 'topics', content_type: 'json', content: topics });
    const embedding = Array.from({ length: 256 }, (_, at) => Math.sin(at * 0.37) * Math.cos(at * 0.11) * 0.4);
    await ctx.emit({ type: 'embedding', content_type: 'vector', content: embedding });
  },
});

const summary = `The handbook says how the archive is kept: who may borrow, for how long, and what is done when something is lost.

Records are kept for ten years. After that the board decides, once a year, what stays.`;

const topics = {
  topics: [
    { name: 'Archive', weight: 0.62, pages: [1, 2, 5] },
    { name: 'Borrowing', weight: 0.24, pages: [3] },
    { name: 'Retention', weight: 0.14, pages: [4] },
  ],
  language: 'en',
  reviewed: false,
};

/** The service to fill. */
export interface ShowcaseService {
  readonly api: string;
  readonly adminKey: string;
  readonly databaseUrl: string;
}

/**
 * Fills a new service.
 *
 * @param past The number of runs that ended during the last day. Each really runs: 25 take half a minute.
 */
export async function startShowcase(
  service: ShowcaseService,
  past = endedHoursAgo.length,
): Promise<Showcase> {
  const client = createRestClient(service);
  const stopping = new AbortController();
  const worker = runHttpWorker([summarise], {
    url: service.api,
    apiKey: service.adminKey,
    port: 0,
    secretsFolder: temporaryFolder(),
    graceSeconds: 1,
    signal: stopping.signal,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  });
  await eventually(() => client.expect(200, 'GET', '/plugins/summarise'));
  await client.expect(200, 'PUT', '/plugins/summarise/config', {
    config: { model: 'small-2', language: 'English', leave_out: ['Table of contents', 'Footnotes'] },
  });
  const pipeline = await client.expect(201, 'POST', '/pipelines', {
    name: 'Reports',
    trigger_type: 'report',
    steps: [
      { plugin_id: 'extract-text', max_attempts: 2 },
      { plugin_id: 'summarise', timeout_seconds: 86_400 },
      { plugin_id: 'chunk-text' },
    ],
  });
  await registerOthers(client);
  await fillDay(service, client, endedHoursAgo.slice(0, past));

  const failed = await add(client, 'Contract, signed', 'report', 'locked.pdf');
  const done = await add(client, 'Archive handbook', 'report', 'handbook.pdf');
  const pending = await add(client, 'Scan of the deed', 'scan', 'scan.pdf');
  for (const [name, fixture] of documents) await client.settled(await add(client, name, 'document', fixture));
  for (const id of [failed, done]) await client.settled(id);
  const processing = await add(client, 'Annual review 2025', 'report', 'review.pptx');
  await eventually(async () => {
    const { steps } = await client.expect(200, 'GET', `/resources/${processing}`);
    return steps[1].progress !== null;
  });
  return {
    done,
    failed,
    processing,
    pending,
    pipeline: pipeline.id,
    async stop() {
      stopping.abort();
      await worker;
    },
  };
}

const documents = [
  ['Letter to the council', 'letter.pdf'],
  ['Orders, first quarter', 'orders.csv'],
  ['Stock list', 'stock.xlsx'],
  ['Notes on moving house', 'notes.md'],
  ['Minutes of the board, 12 May', 'minutes.docx'],
  ['The reading room opens again', 'article.html'],
] as const;

/** Registers a plugin without a worker, and an inactive one. */
async function registerOthers(client: RestClient): Promise<void> {
  await client.expect(201, 'POST', '/plugins', {
    id: 'translate',
    name: 'Translation',
    description: 'Translates texts, for those who read neither Dutch nor German.',
    version: '0.9.0',
    kind: 'activity',
    task_queue: 'translations',
    activity_type: 'translate',
  });
  await client.expect(201, 'POST', '/plugins', {
    id: 'ocr',
    name: 'Text recognition',
    description: 'Reads the pages of scans.',
    version: '1.4.2',
    kind: 'http',
    endpoint: 'https://ocr.example.com/steps',
  });
  await client.expect(200, 'PUT', '/plugins/ocr/toggle');
}

const endedHoursAgo = [1, 1, 2, 3, 3, 3, 4, 5, 5, 6, 6, 6, 6, 7, 8, 9, 9, 13, 17, 19, 20, 20, 21, 21, 22];

/** Creates runs and sets their times to the last day. */
async function fillDay(
  { databaseUrl }: ShowcaseService,
  client: RestClient,
  hours: readonly number[],
): Promise<void> {
  const ids: string[] = [];
  for (const at of hours.keys()) {
    const fixture = at % 7 === 3 ? 'locked.docx' : 'letter.pdf';
    ids.push(await add(client, `Invoice 2026-${1100 - at}`, 'document', fixture));
  }
  for (const id of ids) await client.settled(id);
  const db = connectDatabase(databaseUrl, { poolSize: 1 });
  const columns = {
    resources: ['created_at', 'updated_at', 'started_at', 'finished_at'],
    runs: ['started_at', 'finished_at'],
    steps: ['started_at', 'finished_at'],
  } as const;
  for (const [at, id] of ids.entries()) {
    const earlier = `${hours[at]! * 60 + ((at * 17) % 50)} minutes`;
    for (const [table, names] of Object.entries(columns))
      await db(table)
        .where(table === 'resources' ? { id } : { resource_id: id })
        .update(Object.fromEntries(names.map((name) => [name, db.raw('?? - ?::interval', [name, earlier])])));
  }
  await db.destroy();
}

/** Registers a file of test/fixtures under a name. Returns its id. */
async function add(client: RestClient, name: string, type: string, fixture: string): Promise<string> {
  const bytes = await readFile(new URL(`../../fixtures/${fixture}`, import.meta.url));
  const form = new FormData();
  form.set('name', name);
  form.set('type', type);
  form.set('file', new Blob([new Uint8Array(bytes)]), fixture);
  return (await client.expect(201, 'POST', '/resources', form)).id as string;
}
