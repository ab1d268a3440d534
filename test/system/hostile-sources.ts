import assert from 'node:assert/strict';
import { createRestClient, type RestClient } from '../support/service/rest-client.js';
import type { RemoteSite } from '../support/network/remote-site.js';
import { bomb, zip, zipEntry } from '../plugins/support/zip.js';
import type { TestStack } from '../support/service/stack.js';
import { watchMemory } from '../support/memory.js';

/** Some megabytes that unpack to gigabytes. */
const docxBomb = zip([zipEntry('[Content_Types].xml', '<Types/>'), bomb('word/document.xml', 4000)]);

/** The beginning of a document that is none. */
const brokenDocx = zip([
  zipEntry('[Content_Types].xml', '<Types/>'),
  zipEntry('word/document.xml', '<w:document><w:body><w:p>'),
]);

/** Bytes that a source may have here. */
const mostBytes = 8 * 1024 * 1024;
const growthMib = 200;

/** Settings of a stack for these tests. */
export const settingsFor = (site: RemoteSite): Readonly<Record<string, string>> => ({
  KW_URL_ALLOW: site.host,
  KW_MAX_UPLOAD_BYTES: `${mostBytes}`,
  KW_URL_TIMEOUT_SECONDS: '1',
});

/** Declares the tests of a stack that may fetch from a site. */
export const describeHostileSources = (
  stackOf: () => { readonly stack: TestStack; readonly site: RemoteSite },
): unknown =>
  describe('hostile sources, with everything running', () => {
    let stack: TestStack;
    let client: RestClient;
    let site: RemoteSite;

    before(async () => {
      ({ stack, site } = stackOf());
      client = createRestClient(stack);
      const config = { max_unpacked_bytes: 16 * 1024 * 1024 };
      await client.expect(200, 'PUT', '/plugins/extract-text/config', { config });
      const steps = [{ plugin_id: 'extract-text', max_attempts: 1, timeout_seconds: 60 }];
      await client.expect(201, 'POST', '/pipelines', { name: 'Once', trigger_type: 'once', steps });
    });

    it('end in FAILED with a code, and the worker continues with bounded memory', async () => {
      const asked: string[] = [];
      site.handle = (request, response) => {
        asked.push(request.url ?? '');
        const chunk = Buffer.alloc(64 * 1024, 'x');
        switch (request.url) {
          case '/10-gigabytes':
            response.writeHead(200, { 'content-type': 'text/plain', 'content-length': `${10 * 1024 ** 3}` });
            response.write(chunk);
            return;
          case '/shorter-than-it-says':
            response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '1000' });
            response.write('short', () => response.destroy());
            return;
          case '/endless': {
            response.writeHead(200, { 'content-type': 'text/plain' });
            const more = (): void => {
              while (!response.destroyed && response.write(chunk));
            };
            response.on('drain', more);
            more();
            return;
          }
          case '/loop':
            response.writeHead(302, { location: '/loop' }).end();
            return;
          default:
            response.writeHead(200, { 'content-type': 'text/plain' });
            return;
        }
      };
      const { worker } = stack.stack().processes;
      const memory = watchMemory([worker!]);
      const noArchive = Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(2_000, 7)]).toString(
        'latin1',
      );
      const registered = await Promise.all([
        ...['/10-gigabytes', '/shorter-than-it-says', '/endless', '/loop', '/silent'].map(
          async (path) => [path, await client.addUrl('once', `${site.url}${path}`)] as const,
        ),
        ...Object.entries({
          'a bomb': docxBomb,
          'a broken document': brokenDocx,
          'a PDF that is none':
            '%PDF-1.7\n1 0 obj << /Length 99999999 >> stream\nendstream trailer << /Root 1 0 R >>',
          'an archive that is none': noArchive,
        }).map(async ([what, text]) => [what, await client.upload('once', { text, name: what })] as const),
      ]);
      const codes: Record<string, string> = {};
      for (const [what, { id }] of registered) {
        const resource = await client.settled(id, 90_000);
        assert.equal(resource.status, 'FAILED', what);
        assert.match(resource.error.code, /^[A-Z_]+$/, what);
        assert.equal(resource.artifacts.length, 0, what);
        codes[what] = resource.error.code;
      }
      assert.deepEqual(codes, {
        '/10-gigabytes': 'URL_FETCH_FAILED',
        '/shorter-than-it-says': 'URL_FETCH_FAILED',
        '/endless': 'URL_FETCH_FAILED',
        '/loop': 'URL_FETCH_FAILED',
        '/silent': 'URL_FETCH_FAILED',
        'a bomb': 'ARCHIVE_TOO_LARGE',
        'a broken document': 'UNREADABLE_FILE',
        'a PDF that is none': 'UNREADABLE_FILE',
        'an archive that is none': 'UNSUPPORTED_MEDIA_TYPE',
      });
      for (const [path] of registered)
        if (path.startsWith('/')) assert.ok(asked.includes(path), `${path} was not asked for`);
      const [growth = 0] = memory.growth();
      assert.ok(growth < growthMib, `the worker grew by ${growth} MiB`);
      assert.equal(stack.stack().processes['worker'], worker);
      const fine = await client.settled((await client.upload('once', { text: 'A text.' })).id);
      assert.equal(fine.status, 'COMPLETED');
    });
  });
