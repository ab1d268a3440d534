/** A program that calls the service through a client generated from the OpenAPI document. */
export interface GeneratedClient {
  /** Runs it with the address of a service and an API key. Returns the JSON that it prints. */
  run(address: string, key: string): Promise<unknown>;
}

/** Returns a service's OpenAPI document with a fixed address, so that its client is generated only once. */
export async function servedDocument(api: string): Promise<string> {
  const response = await fetch(`${api}/api/v1/openapi.json`);
  const document = (await response.json()) as { readonly servers: readonly unknown[] };
  return JSON.stringify({ ...document, servers: [{ url: 'http://127.0.0.1:8080' }] });
}
