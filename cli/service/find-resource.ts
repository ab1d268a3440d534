import { CommandError } from '../exit.js';
import type { Client } from './client.js';
import { listPages, type PageQuery, type ListedResource, type Resource } from '@knowledge-warehouse/client';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const mostNamed = 5;

/** No resource has a name, or several have it. Commands for several targets print the code in their JSON. */
export class UnresolvedName extends CommandError {
  constructor(
    readonly code: 'NOT_FOUND' | 'AMBIGUOUS_NAME',
    message: string,
  ) {
    super(message);
  }
}

export const isUuid = (text: string): boolean => uuid.test(text);

/** Yields the resources with exactly this name, newest first. */
export async function* listNamed(client: Client, wanted: string): AsyncGenerator<ListedResource> {
  const load = (page: PageQuery): ReturnType<typeof client.GET<'/resources'>> =>
    client.GET('/resources', { params: { query: { q: wanted, ...page } } });
  for await (const { items } of listPages(load)) yield* items.filter(({ name }) => name === wanted);
}

/**
 * Resolves an id or a name to a resource id.
 *
 * @throws UnresolvedName if no resource has the name, or several have it
 */
export async function findResourceId(client: Client, idOrName: string): Promise<string> {
  if (isUuid(idOrName)) return idOrName.toLowerCase();
  const named: ListedResource[] = [];
  for await (const resource of listNamed(client, idOrName)) {
    named.push(resource);
    if (named.length > mostNamed) break;
  }
  const [first, ...others] = named;
  if (first === undefined)
    throw new UnresolvedName('NOT_FOUND', `No resource has the id or the name ${idOrName}.`);
  if (others.length === 0) return first.id;
  const shown = named.slice(0, mostNamed).map(({ id, status, type }) => `  ${id}  ${status}  ${type}`);
  const more = named.length > mostNamed ? ['  …'] : [];
  throw new UnresolvedName(
    'AMBIGUOUS_NAME',
    [`Several resources have the name ${idOrName}; choose one by its id:`, ...shown, ...more].join('\n'),
  );
}

/** Returns the resource with an id or a name, including its steps and artifacts. */
export async function findResource(client: Client, idOrName: string): Promise<Resource> {
  const id = await findResourceId(client, idOrName);
  return requireResource((await client.GET('/resources/{id}', { params: { path: { id } } })).value);
}

/** Throws CommandError if it is not a resource: another server may answer with JSON of its own. */
export function requireResource(value: Resource): Resource {
  if (typeof (value as Partial<Resource> | null)?.id === 'string') return value;
  throw new CommandError('The response does not come from this service.');
}
