import type { Locator, Page } from 'playwright-core';

type Json = Readonly<Record<string, any>>;

/**
 * Gives the page /docs a document with only these operations, what they refer to, and their commonest responses:
 * Swagger UI resolves and draws all of it again whenever an operation is opened, which takes seconds.
 */
export async function trimDocument(page: Page, ...operationIds: readonly string[]): Promise<void> {
  await page.route('**/api/v1/openapi.json', async (route) => {
    const document = (await (await route.fetch()).json()) as Json;
    const paths = filled(
      Object.entries(document['paths'] as Json).map(([path, item]) => [
        path,
        filled(Object.entries(item as Json).map(([method, part]) => [method, trimmed(part, operationIds)])),
      ]),
    );
    await route.fulfill({ json: { ...document, paths, components: reachable(document, paths) } });
  });
}

/** Returns an operation without rarer responses; null if it is another. */
function trimmed(operation: Json, operationIds: readonly string[]): Json | null {
  if (!operationIds.includes(operation['operationId'])) return null;
  const responses = Object.entries(operation['responses'] as Json);
  const common = responses.filter(([status]) => status.startsWith('2') || status === '401');
  return { ...operation, responses: Object.fromEntries(common) };
}

/** Returns an object of the entries whose values are not empty. */
function filled(entries: readonly (readonly [string, Json | null])[]): Json {
  return Object.fromEntries(
    entries.filter(([, value]) => value !== null && Object.keys(value).length > 0),
  ) as Json;
}

/** Returns the components of a document that these paths need. */
function reachable(document: Json, paths: Json): Json {
  const { securitySchemes, ...components } = document['components'] as Json;
  const found: Record<string, Record<string, unknown>> = { securitySchemes };
  const follow = (part: unknown): void => {
    for (const [, kind, name] of JSON.stringify(part).matchAll(/"#\/components\/([^/"]+)\/([^/"]+)/g)) {
      if (found[kind!]?.[name!] !== undefined) continue;
      (found[kind!] ??= {})[name!] = components[kind!][name!];
      follow(components[kind!][name!]);
    }
  };
  follow(paths);
  return found;
}

/** Opens an operation such as `Resources-listResources`. */
export async function openOperation(page: Page, id: string): Promise<Locator> {
  const operation = page.locator(`#operations-${id}`);
  await operation.locator('.opblock-summary-control').click();
  return operation;
}
