/** A program that calls the service through a client that a generator made of the OpenAPI document. */
export interface GeneratedClient {
  /** Runs it with the address of a service and an API key. Returns the JSON that it printed. */
  run(address: string, key: string): Promise<unknown>;
}

/** The OpenAPI document that a service serves, with always the same address in it, so that a client is made of it once. */
export async function servedDocument(api: string): Promise<string> {
  const response = await fetch(`${api}/api/v1/openapi.json`);
  const document = (await response.json()) as { readonly servers: readonly unknown[] };
  return JSON.stringify({ ...document, servers: [{ url: 'http://127.0.0.1:8080' }] });
}
