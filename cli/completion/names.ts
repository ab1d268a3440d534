import { createClient, type Client } from '../service/client.js';
import { readCredentials } from '../service/credentials.js';
import { readClientEnvironment } from '../service/environment.js';
import { findResource } from '../service/find-resource.js';
import { findService } from '../service/find-service.js';
import { listAll } from '@knowledge-warehouse/client';
import type { Typed } from './typed-words.js';

/** A possible completion of a word. */
export interface Candidate {
  readonly value: string;
  readonly description?: string;
}

/** The longest wait after a press of the Tab key. */
const patienceMs = 1_500;
const mostNames = 50;

/** Names known to the service, by kind. */
const sources: Readonly<Record<string, (client: Client, typed: Typed) => Promise<readonly Candidate[]>>> = {
  type: pipelines,
  'trigger-type': pipelines,
  plugin: async (client) =>
    (await listAll((query) => client.GET('/plugins', { params: { query } }))).map(({ id, name }) => ({
      value: id,
      description: name,
    })),
  async resource(client, { current }) {
    const query = { limit: mostNames, ...(current !== '' && { q: current }) };
    const { value } = await client.GET('/resources', { params: { query } });
    return value.items.map(({ name, status, type }) => ({ value: name, description: `${status} ${type}` }));
  },
  async 'artifact-type'(client, { operands }) {
    const { artifacts } = await findResource(client, operands[0] ?? '');
    return artifacts.map(({ type, content_type }) => ({ value: type, description: content_type }));
  },
};

async function pipelines(client: Client): Promise<readonly Candidate[]> {
  const all = await listAll((query) => client.GET('/pipelines', { params: { query } }));
  return all.map(({ trigger_type, name }) => ({ value: trigger_type, description: name }));
}

/** The possible names; none if the service does not answer in time or the user is not logged in. */
export async function findNames(what: string, typed: Typed): Promise<readonly Candidate[]> {
  const source = sources[what];
  if (source === undefined) return [];
  try {
    const service = findService({}, readClientEnvironment());
    const client = createClient(service, { signal: AbortSignal.timeout(patienceMs), patience: { tries: 1 } });
    try {
      return await source(client, typed);
    } finally {
      await client.close();
    }
  } catch {
    return [];
  }
}

/** The services that `kw login` knows. */
export function storedUrls(): readonly Candidate[] {
  try {
    const { services } = readCredentials(readClientEnvironment().credentialsFile);
    return Object.keys(services).map((value) => ({ value }));
  } catch {
    return [];
  }
}
