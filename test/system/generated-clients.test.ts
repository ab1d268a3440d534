import assert from 'node:assert/strict';
import { servedDocument } from '../support/clients/generated-client.js';
import { generateGoClient } from '../support/clients/go-client.js';
import { generatePythonClient } from '../support/clients/python-client.js';
import { generateTypescriptClient } from '../support/clients/typescript-client.js';
import { startWebService, type WebService } from '../support/browser/web-service.js';

/** Each program registers a file, follows it, reads its text and handles an error. */
describe('clients generated from the OpenAPI document of a service', () => {
  let service: WebService;
  let document: string;
  before(async () => {
    service = await startWebService();
    document = await servedDocument(service.api);
  });
  after(() => service.stop());

  const generators = {
    'openapi-python-client': generatePythonClient,
    'openapi-typescript and openapi-fetch': generateTypescriptClient,
    'oapi-codegen, in Go': generateGoClient,
  };
  for (const [name, generate] of Object.entries(generators)) {
    it(`work: ${name}`, async function () {
      // The first run of a machine installs the generator.
      this.timeout(600_000);
      const client = await generate(document);
      assert.deepEqual(await client.run(service.api, service.adminKey), {
        status: 'COMPLETED',
        text: 'Grüße aus dem Archiv',
        refusal: [404, 'NOT_FOUND'],
      });
    });
  }
});
