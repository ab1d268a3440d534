// Registers a file with openapi-fetch and types generated from the OpenAPI document, follows its events and reads its
// text. Arguments: the address of the service and an API key. Prints one JSON object.
import createClient from 'openapi-fetch';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { components, paths } from './schema.js';

type Resource = components['schemas']['Resource'];
type ResourceStreamEvent = components['schemas']['ResourceStreamEvent'];

const [baseUrl = '', key = ''] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${key}` } });

async function register(name: string, content: string): Promise<Resource> {
  const file = new File([content], name, { type: 'text/plain' });
  const { data, error } = await client.POST('/api/v1/resources', {
    params: { header: { 'Idempotency-Key': crypto.randomUUID() } },
    // openapi-typescript represents a file as a string.
    body: { name: 'Letter', type: 'document', file: file as unknown as string },
    bodySerializer(body) {
      const form = new FormData();
      for (const [field, value] of Object.entries(body as object)) form.set(field, value as string | File);
      return form;
    },
  });
  if (error !== undefined) throw new Error(error.error.message);
  return data;
}

async function read(id: string): Promise<Resource> {
  const { data, error } = await client.GET('/api/v1/resources/{id}', { params: { path: { id } } });
  if (error !== undefined) throw new Error(error.error.message);
  return data;
}

/** Reads the events of a resource until its run ends. Returns the status. */
async function follow(id: string): Promise<Resource['status']> {
  const abort = new AbortController();
  const { data } = await client.GET('/api/v1/resources/{id}/events', {
    params: { path: { id } },
    parseAs: 'stream',
    signal: abort.signal,
  });
  if (!data) throw new Error('There is no stream.');
  const frames = data.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  for await (const frame of frames) {
    const event = { ...frame, data: JSON.parse(frame.data) as unknown } as ResourceStreamEvent;
    let status: Resource['status'] = 'PROCESSING';
    if (event.event === 'resource.updated') status = event.data.status;
    // The stream begins here, so earlier changes are in the resource.
    if (event.event === 'ready') ({ status } = await read(id));
    if (status === 'PROCESSING') continue;
    abort.abort();
    return status;
  }
  throw new Error('The stream ended.');
}

async function readText({ id, artifacts }: Resource): Promise<string> {
  const artifactId = artifacts.find(({ type }) => type === 'text')?.id ?? '';
  const { data, error } = await client.GET('/api/v1/resources/{id}/artifacts/{artifactId}', {
    params: { path: { id, artifactId } },
  });
  if (error !== undefined) throw new Error(error.error.message);
  // A string is the content alone, which requests with another `Accept` get.
  if (typeof data === 'string' || data.content_type !== 'text') throw new Error('It is no text.');
  return data.content;
}

const readiness = await client.GET('/health/ready');
if (readiness.data?.status !== 'ok') throw new Error('The service is not ready.');
const metrics = await client.GET('/metrics', { parseAs: 'text' });
if (!metrics.data?.includes('# HELP kw_')) throw new Error('There are no metrics.');

const { id } = await register('letter.txt', 'Grüße aus dem Archiv');
const status = await follow(id);
const text = await readText(await read(id));
const { error, response } = await client.GET('/api/v1/resources/{id}', {
  params: { path: { id: crypto.randomUUID() } },
});
console.log(JSON.stringify({ status, text, refusal: [response.status, error?.error.code] }));
