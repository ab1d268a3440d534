import assert from 'node:assert/strict';
import { createClient } from '@knowledge-warehouse/client';

/** A client whose requests all get one response, and the URLs that it requested. */
function clientOf(respond: () => Response, url = 'http://kw.example') {
  const urls: string[] = [];
  const transport = (request: { readonly url: string }): Promise<Response> => {
    urls.push(request.url);
    return Promise.resolve(respond());
  };
  return { client: createClient({ url, transport }), urls };
}

describe('the client', () => {
  const path = { id: 'a' };

  it('returns a 304 to a conditional GET, and refuses one to any other request', async () => {
    const unchanged = (): Response => new Response(null, { status: 304, headers: { etag: '"1"' } });
    const { client } = clientOf(unchanged);
    const header = { 'If-None-Match': '"1"' };
    const answer = await client.GET('/resources/{id}', { params: { path, header } });
    assert.deepEqual(answer, { status: 304, value: undefined, etag: '"1"' });
    // @ts-expect-error The value may be undefined.
    assert.throws(() => answer.value.id, TypeError);
    assert.equal((await client.open('/resources/a', { headers: header })).status, 304);
    await assert.rejects(client.GET('/resources/{id}', { params: { path } }), { code: 'HTTP_304' });
  });
});
