import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { buildDocument } from '../../api/openapi/document.js';
import { routes } from '../../api/routes/index.js';
import { generatePythonClient } from '../support/clients/python-client.js';
import { startWebService, type WebService } from '../support/web-service.js';

describe('clients that are generated from the OpenAPI document', () => {
  let service: WebService;

  before(async () => {
    service = await startWebService();
  });
  after(() => service.stop());

  it('in Python: register a file, follow it, read its text and handle an error', async function () {
    // The first run of a machine installs the generator.
    this.timeout(300_000);
    // Always the same address, so that the client is made once.
    const client = await generatePythonClient(buildDocument(routes, 'http://127.0.0.1:8080'));
    const story = fileURLToPath(new URL('../support/clients/story.py', import.meta.url));
    assert.deepEqual(JSON.parse(await client.run(story, [service.api, service.adminKey])), {
      status: 'COMPLETED',
      text: 'Grüße aus dem Archiv',
      refusal: [404, 'NOT_FOUND'],
    });
  });
});
