import assert from 'node:assert/strict';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Browser } from 'playwright-core';
import { blockedPorts } from '../../runtime/embedded/blocked-ports.js';
import { connectTemporal, type TemporalClient } from '../../runtime/temporal/connection.js';
import { connectBrowser } from '../support/browser/chromium.js';
import { eventually } from '../support/eventually.js';
import { listeningOf, type Listening } from '../support/servers/listening.js';
import { createRestClient } from '../support/service/rest-client.js';
import type { TestStack } from '../support/service/stack.js';

/** What starts a workflow by the HTTP API, which takes any type of body, and by the Web UI's. */
const paths = ['/api/v1/namespaces/default/workflows/', '/namespaces/default/workflows/'];
const start = JSON.stringify({ workflowType: { name: 'evil' }, taskQueue: { name: 'kw-core' } });

/** The Temporal that "npm start" runs, which has no authentication, as web pages see it. Linux says where it listens. */
const onLinux = process.platform === 'linux' ? describe : describe.skip;

/** Declares the tests of the Temporal of a stack. */
export const describeEmbeddedTemporal = (stackOf: () => TestStack): unknown =>
  onLinux('the embedded Temporal', () => {
    let stack: TestStack;
    let temporal: TemporalClient;
    let browser: Browser;
    /** Where Temporal itself listens, and the Web UI as people are told. */
    let own: Listening[];
    let ui: Listening;
    let site: Server;

    before(async () => {
      stack = stackOf();
      browser = await connectBrowser();
      const { temporal_address: address, temporal_ui, processes } = stack.stack();
      temporal = await connectTemporal({
        address,
        namespace: 'default',
        apiKey: null,
        tls: null,
        uiUrl: null,
      });
      const { hostname: host, port } = new URL(temporal_ui!);
      ui = { host, port: Number(port) };
      own = await eventually(() => {
        const found = listeningOf(processes['temporal']!);
        return found.length >= 4 && found;
      });
      site = createServer((_request, response) =>
        response.setHeader('content-type', 'text/html').end('A site.'),
      );
      await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    });
    after(async () => {
      site.close();
      await browser.close();
      await temporal.close();
    });

    const ask = async (
      { host, port }: Listening,
      method: string,
      path: string,
      headers: Record<string, string>,
    ): Promise<{ status: number; body: string } | null> =>
      new Promise((resolve) => {
        const asked = request(
          { host, port, method, path, headers: { host: `${host}:${port}`, ...headers } },
          (answer) => {
            text(answer).then(
              (body) => resolve({ status: answer.statusCode ?? 0, body }),
              () => resolve(null),
            );
          },
        );
        // A port that speaks no HTTP/1.1.
        asked.on('error', () => resolve(null));
        asked.end(method === 'POST' ? start : undefined);
      });
    const started = async (id: string): Promise<boolean> =>
      await temporal.client.workflow
        .getHandle(id)
        .describe()
        .then(
          () => true,
          () => false,
        );

    it('listens only on loopback', () => {
      assert(
        own.every(({ host }) => host.startsWith('127.')),
        JSON.stringify(own),
      );
    });

    it('starts nothing for a text/plain post from another origin, on any of its ports', async () => {
      const headers = {
        'content-type': 'text/plain',
        origin: 'http://evil.example',
        'sec-fetch-site': 'cross-site',
        'sec-fetch-mode': 'no-cors',
      };
      const ids: string[] = [];
      for (const place of [...own, ui])
        for (const path of paths) {
          const id = `evil-${ids.push('')}`;
          ids[ids.length - 1] = id;
          const answer = await ask(place, 'POST', path + id, headers);
          assert((answer?.status ?? 403) >= 400, `${place.port}${path}: ${answer?.status} ${answer?.body}`);
        }
      for (const id of ids) assert.equal(await started(id), false, id);
    });

    it('starts nothing for a page of another origin in a browser', async () => {
      const page = await browser.newPage();
      try {
        await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
        const ids: string[] = [];
        for (const { host, port } of [...own, ui])
          for (const path of paths) {
            const id = `page-${ids.length}`;
            ids.push(id);
            await page.evaluate(
              ([url, body]) =>
                fetch(url!, { method: 'POST', mode: 'no-cors', body: body! }).catch(() => null),
              [`http://${host}:${port}${path}${id}`, start],
            );
          }
        for (const id of ids) assert.equal(await started(id), false, id);
      } finally {
        await page.close();
      }
    });

    it('answers only to its own Host, where a browser can reach it', async () => {
      const page = await browser.newPage();
      try {
        for (const port of blockedPorts)
          await assert.rejects(page.goto(`http://127.0.0.1:${port}/`), /ERR_UNSAFE_PORT/, `port ${port}`);
        for (const place of [...own, ui]) {
          const { host, port } = place;
          for (const path of ['/', '/api/v1/namespaces', '/namespaces/default/workflows']) {
            const answer = await ask(place, 'GET', path, { host: `evil.example:${port}` });
            if (answer === null || [403, 404].includes(answer.status)) continue;
            // It does answer: then no browser goes there.
            await assert.rejects(
              page.goto(`http://${host}:${port}${path}`),
              /ERR_UNSAFE_PORT/,
              `port ${port}`,
            );
          }
        }
        assert.equal((await ask(ui, 'GET', '/', { host: `evil.example:${ui.port}` }))?.status, 403);
        assert.equal((await ask(ui, 'GET', '/', { host: `localhost:${ui.port}` }))?.status, 200);
      } finally {
        await page.close();
      }
    });

    it('shows the history of a run in its Web UI, whose own pages may make changes', async () => {
      const client = createRestClient(stack);
      const { id } = await client.upload('document', { text: 'Looked at in the Web UI.' });
      const { workflow_id } = await client.settled(id);
      const page = await browser.newPage({ locale: 'en-GB' });
      try {
        await page.goto(
          `${stack.stack().temporal_ui}/namespaces/default/workflows?query=${encodeURIComponent(`KwResourceId="${id}"`)}`,
        );
        await page.getByRole('link', { name: workflow_id }).first().click();
        await page.getByText('extract-text').first().waitFor();

        const cookies = await page.context().cookies();
        const token = cookies.find(({ name }) => name === '_csrf')?.value ?? '';
        const status = await page.evaluate(
          async ([path, body, csrf]) => {
            const headers = { 'x-csrf-token': csrf!, 'content-type': 'application/json' };
            return (await fetch(path!, { method: 'POST', headers, body: body! })).status;
          },
          [`${paths[0]}ours`, start, token],
        );
        assert.equal(status, 200);
        assert.equal(await started('ours'), true);
        await temporal.client.workflow.getHandle('ours').terminate();
      } finally {
        await page.close();
      }
    });
  });
