import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { startApi, type Answer, type TestApi } from '../support/service/api.js';

const script = '<!doctype html><html><body><script>alert(document.domain)</script></body></html>';

describe('security headers for browsers', () => {
  let api: TestApi;

  before(async () => {
    api = await startApi();
    const worker = { name: 'W', kind: 'activity', task_queue: 'q', activity_type: 'a' };
    await api.call('PUT', '/plugins/worker', worker);
    await api.call('POST', '/pipelines', {
      name: 'P',
      trigger_type: 'page',
      steps: [{ plugin_id: 'worker' }, { plugin_id: 'worker' }],
    });
  });
  after(() => api.stop());

  /** Registers a page with a script in it, and claims its first step: returns the step as a worker gets it. */
  const claimPage = async (): Promise<{ resource: Answer['body']; step: Answer['body'] }> => {
    const form = new FormData();
    form.set('name', script);
    form.set('type', 'page');
    form.set('file', new Blob([script], { type: 'text/html' }), 'page.html');
    const { body: resource } = await api.call('POST', '/resources', form);
    await api.advance(resource, { kind: 'BEGIN' });
    const { body: step } = await api.call('POST', '/internal/attempts', {
      resource_id: resource.id,
      run: 1,
      step_index: 0,
      attempt: 1,
    });
    return { resource, step };
  };

  it('with every response forbid sniffing, running, framing, caching and referrers', async () => {
    const upload = new FormData();
    upload.set('type', 'none');
    const answers: [string, { readonly headers: Headers }][] = [
      ['a list', await api.call('GET', '/resources')],
      ['a deletion', await api.call('DELETE', '/resources/none')],
      ['a refused body', await api.call('POST', '/pipelines', '{"', {})],
      ['a refused upload', await api.call('POST', '/resources', upload)],
      ['no key', await api.call('GET', '/resources', undefined, { bearer: null })],
      ['an unknown path', await api.call('GET', `/${encodeURIComponent(script)}`)],
      ['another method', await api.call('PATCH', '/resources')],
      ['health', await api.call('GET', '//health/live')],
      ['metrics', await api.call('GET', '//metrics')],
      ['the document', await api.call('GET', '/openapi.json')],
      ['the root', await fetch(api.base)],
      ['the docs', await api.call('GET', '//docs')],
    ];
    for (const [name, { headers }] of answers) {
      assert.equal(headers.get('x-content-type-options'), 'nosniff', name);
      assert.equal(headers.get('x-frame-options'), 'DENY', name);
      assert.equal(headers.get('referrer-policy'), 'no-referrer', name);
      assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin', name);
      assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin', name);
      assert.equal(headers.get('strict-transport-security'), null, 'it is not served over https');
      assert.equal(headers.get('x-powered-by'), null, name);
      const policy = headers.get('content-security-policy') ?? '';
      assert.match(policy, /^default-src 'none';/, name);
      assert.match(policy, /frame-ancestors 'none'/, name);
      assert.doesNotMatch(policy, /unsafe|\*/, name);
      // One page runs a script, its own.
      const scripts = /script-src [^;]*/.exec(policy)?.[0];
      assert.equal(scripts, name === 'the docs' ? "script-src 'self'" : undefined, name);
    }
  });

  it('are sent even with responses to malformed requests', async () => {
    const socket = connect(Number(new URL(api.base).port), '127.0.0.1');
    let answer = '';
    socket.setEncoding('utf8').on('data', (part: string) => (answer += part));
    socket.write('<script> HTTP\r\n\r\n');
    await once(socket, 'close');
    assert.match(answer, /^HTTP\/1.1 400 /);
    assert.match(answer, /\r\nX-Content-Type-Options: nosniff\r\n/);
    assert.match(answer, /\r\nContent-Security-Policy: default-src 'none'/);
  });

  it('prevent uploads from running: sources and inputs are downloads, artifacts are JSON', async () => {
    const { resource, step } = await claimPage();
    const bearer = { headers: { authorization: `Bearer ${step.callback.token}` } };
    const report = {
      status: 'SUCCESS',
      artifact: { type: 'page.html', content_type: 'text', content: script },
    };
    const source = await fetch(step.resource.source_url, bearer);
    assert.equal(await source.text(), script);
    assert.match(source.headers.get('content-type') ?? '', /^text\/html/, 'the fault: it is a page');

    const { callback } = step;
    const sent = await fetch(callback.url, {
      method: 'POST',
      headers: { ...bearer.headers, 'content-type': 'application/json' },
      body: JSON.stringify(report),
    });
    assert.equal(sent.status, 200);
    await api.advance(resource, { kind: 'RETURNED', index: 0, result: null });
    const claim = { resource_id: resource.id, run: 1, step_index: 1, attempt: 1 };
    const { body: second } = await api.call('POST', '/internal/attempts', claim);
    const input = await fetch(second.inputs[0].url, {
      headers: { authorization: `Bearer ${second.callback.token}`, range: 'bytes=0-9' },
    });
    assert.deepEqual([input.status, await input.text()], [206, script.slice(0, 10)]);

    for (const { headers } of [source, input]) {
      assert.equal(headers.get('content-disposition'), 'attachment');
      assert.equal(headers.get('content-security-policy'), "sandbox; default-src 'none'");
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
    }
    const { body } = await api.call('GET', `/resources/${resource.id}`);
    const artifact = await api.call('GET', `/resources/${resource.id}/artifacts/${body.artifacts[0].id}`);
    assert.equal(artifact.headers.get('content-type'), 'application/json; charset=utf-8');
    assert.equal(artifact.body.content, script);
  });

  describe('for pages of other origins', () => {
    const ask = async (asked: TestApi, origin: string, init: RequestInit = {}): Promise<Headers> => {
      const response = await fetch(`${asked.base}/api/v1/resources`, {
        ...init,
        headers: { origin, ...(init.headers as Record<string, string> | undefined) },
      });
      await response.arrayBuffer();
      return response.headers;
    };
    const preflight = {
      method: 'OPTIONS',
      headers: {
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,idempotency-key',
      },
    };
    const crossOrigin = (headers: Headers): string[] =>
      [...headers.keys()].filter((name) => name.startsWith('access-control-'));

    it('allow nothing unless the origin is listed', async () => {
      for (const init of [{}, preflight]) {
        assert.deepEqual(crossOrigin(await ask(api, 'https://example.com', init)), []);
      }
    });

    it('allow calls with a key from listed origins, and never with cookies', async () => {
      const listed = await startApi({
        env: { KW_CORS_ORIGINS: 'https://one.example,http://localhost:3000' },
      });
      try {
        for (const origin of ['https://one.example', 'http://localhost:3000']) {
          const allowed = await ask(listed, origin, preflight);
          assert.equal(allowed.get('access-control-allow-origin'), origin);
          assert.match(allowed.get('access-control-allow-methods') ?? '', /PATCH/);
          assert.match(allowed.get('access-control-allow-headers') ?? '', /authorization.*idempotency-key/i);
          // An answer without a key: an error has to be readable as well.
          const refused = await ask(listed, origin);
          assert.equal(refused.get('access-control-allow-origin'), origin);
          assert.match(
            refused.get('access-control-expose-headers') ?? '',
            // The name of a downloaded source, and the pause before a retry.
            /Content-Disposition.*Retry-After/,
          );
          for (const headers of [allowed, refused]) {
            assert.equal(headers.get('access-control-allow-credentials'), null);
            assert.match(headers.get('vary') ?? '', /origin/i);
          }
        }
        for (const origin of [
          'https://two.example',
          'https://one.example.evil',
          'http://one.example',
          'null',
        ]) {
          for (const init of [{}, preflight]) {
            assert.deepEqual(crossOrigin(await ask(listed, origin, init)), [], origin);
          }
        }
      } finally {
        await listed.stop();
      }
    });

    it('allow calls from all origins if all are listed', async () => {
      const everybody = await startApi({ env: { KW_CORS_ORIGINS: '*' } });
      try {
        const headers = await ask(everybody, 'https://example.com', preflight);
        assert.equal(headers.get('access-control-allow-origin'), '*');
        assert.equal(headers.get('access-control-allow-credentials'), null);
      } finally {
        await everybody.stop();
      }
    });
  });
});
