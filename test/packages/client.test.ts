import assert from 'node:assert/strict';
import { createClient, listPages, toApiError } from '@knowledge-warehouse/client';

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
    const etag = answer.etag as string | null;
    const params = { path, ...(etag !== null && { header: { 'If-None-Match': etag } }) };
    const perhaps = await client.GET('/resources/{id}', { params });
    // @ts-expect-error The value may be undefined.
    assert.throws(() => perhaps.value.id, TypeError);
    const headers = { 'content-type': 'text/html', 'x-request-id': 'r' };
    const typed = clientOf(() => new Response(null, { status: 304, headers }));
    assert.equal((await typed.client.GET('/resources/{id}', { params: { path, header } })).status, 304);
  });

  it('refuses streams and files, without reading them', async () => {
    let cancelled = 0;
    const endless = (headers: Record<string, string>) =>
      clientOf(() => new Response(new ReadableStream({ cancel: () => void (cancelled += 1) }), { headers }));
    const stream = endless({ 'content-type': 'text/event-stream' });
    // @ts-expect-error The typed paths are those with JSON.
    await assert.rejects(stream.client.GET('/events'), {
      code: 'HTTP_200',
      message: 'The response 200 is text/event-stream, not JSON: use `events`.',
    });
    const file = endless({ 'content-type': 'text/markdown', 'x-request-id': 'r' });
    // @ts-expect-error A file is not JSON.
    await assert.rejects(file.client.GET('/resources/{id}/source', { params: { path } }), {
      message: 'The response 200 is text/markdown, not JSON: use `open`.',
    });
    assert.equal(cancelled, 2);
  });

  it('takes a page, or the response to a change, for that of a proxy, although it has a request id', async () => {
    const message = 'The response 200 does not come from this service.';
    const typed = (type: string) =>
      clientOf(() => new Response('Log in', { headers: { 'content-type': type, 'x-request-id': 'r' } }));
    await assert.rejects(typed('text/html').client.GET('/session'), { message });
    const deletion = typed('text/plain').client.DELETE('/resources/{id}', { params: { path } });
    await assert.rejects(deletion, { message });
  });

  it('refuses ids that would make the path that of another operation', async () => {
    const { client, urls } = clientOf(() => Response.json({ items: [], next_cursor: null }));
    for (const id of ['', '.', '..']) {
      const message = `The path parameter id of /resources/{id} must not be "${id}".`;
      await assert.rejects(client.waitFor(id), { name: 'TypeError', message });
    }
    assert.deepEqual(
      urls.filter((url) => !url.endsWith('/events')),
      [],
    );
    await client.GET('/resources/{id}', { params: { path: { id: '...' } } });
  });

  it('takes the URL of the service with a trailing slash or with the path of the API', async () => {
    for (const end of ['', '/', '/api/v1', '/api/v1/']) {
      const { client, urls } = clientOf(() => Response.json({}), `http://kw.example/kw${end}`);
      await client.GET('/session');
      await client.open('/session');
      assert.deepEqual(urls, Array(2).fill('http://kw.example/kw/api/v1/session'));
    }
    const { client, urls } = clientOf(() => Response.json({}), '');
    await client.open('/session');
    assert.deepEqual(urls, ['/api/v1/session']);
  });

  it('yields no page of a list of at most no items', async () => {
    const { client, urls } = clientOf(() => Response.json({ items: [], next_cursor: null }));
    for await (const page of listPages((query) => client.GET('/plugins', { params: { query } }), 0))
      assert.fail(JSON.stringify(page));
    assert.deepEqual(urls, []);
  });

  it('reads Retry-After as seconds and as a date', () => {
    const asked = (value: string): number | null => toApiError(503, value, '').retryAfter;
    const values = ['7', 'soon', '-1', '7.5', new Date(0).toUTCString()];
    assert.deepEqual(values.map(asked), [7, null, null, null, 0]);
    const seconds = asked(new Date(Date.now() + 3_600_000).toUTCString());
    assert(seconds !== null && seconds > 3_000 && seconds <= 3_600, `${seconds}`);
  });

  it('waits at least a second after a 429, since such tries do not count', async () => {
    for (const value of ['0', '-1', '7.5', new Date(0).toUTCString()]) {
      const { client } = clientOf(() => new Response('', { status: 429, headers: { 'retry-after': value } }));
      const end = new AbortController();
      const onRetry = (_: Error, waitMs: number): void => end.abort(waitMs);
      const get = client.GET('/session', { patience: { tries: 2, onRetry }, signal: end.signal });
      assert.equal(await get.catch((reason: unknown) => reason), 1000);
    }
  });
});
