import { ApiError } from '@knowledge-warehouse/client';
import pLimit from 'p-limit';

import { inputName } from '../input.js';
import type { Client } from '../service/client.js';
import { isUuid, listNamed } from '../service/find-resource.js';
import { plain } from '../terminal/text.js';
import type { Question } from './questions.js';

const atOnce = 4;
const mostNamed = 10;

/** Returns the ids and names of the questions that no resource has. Those that were found are not looked up. */
export async function missingResources(
  client: Client,
  questions: readonly Question[],
  found: ReadonlySet<string>,
): Promise<readonly string[]> {
  const unseen = [...new Set(questions.flatMap(({ resources }) => resources))].filter(
    (each) => !found.has(each),
  );
  const limit = pLimit(atOnce);
  const exist = await Promise.all(unseen.map((each) => limit(() => exists(client, each))));
  return unseen.filter((_, at) => exist[at] === false);
}

async function exists(client: Client, idOrName: string): Promise<boolean> {
  if (idOrName === '') return false;
  try {
    if (isUuid(idOrName)) await client.GET('/resources/{id}', { params: { path: { id: idOrName } } });
    else return (await listNamed(client, idOrName).next()).done !== true;
    return true;
  } catch (error) {
    // The service refuses names that are not valid with 400.
    if (error instanceof ApiError && [400, 404].includes(error.status)) return false;
    throw error;
  }
}

/** A warning about ids and names that no resource has, so that they do not look like a bad search. */
export function warningOfMissing(file: string, missing: readonly string[]): string {
  const shown = missing.slice(0, mostNamed).map(plain).join(', ');
  const more = missing.length > mostNamed ? `, and ${missing.length - mostNamed} more` : '';
  const subject =
    missing.length === 1
      ? '1 id or name matches no resource and counts'
      : `${missing.length} ids or names match no resource and count`;
  return `Warning: in ${inputName(file)}, ${subject} as not found: ${shown}${more}`;
}
