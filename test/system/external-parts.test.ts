import assert from 'node:assert/strict';
import { createDatabase } from '../support/servers/postgres.js';
import { createRestClient } from '../support/service/rest-client.js';
import { s3Settings, startS3 } from '../support/servers/s3.js';
import { startStack } from '../support/service/stack.js';
import { startTemporal } from '../support/servers/temporal.js';

interface ExternalPart {
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Each starts external parts, and says which process `npm start` then does without. */
const parts: readonly (readonly [string, string, () => Promise<ExternalPart>])[] = [
  [
    'PostgreSQL',
    'postgres',
    async () => {
      const database = await createDatabase({ migrated: false });
      const env = { DATABASE_URL: database.url, KW_SECRET: 'a-secret-of-the-operator' };
      return { env, stop: () => database.drop() };
    },
  ],
  [
    'Temporal and S3',
    'temporal',
    async () => {
      const [temporal, s3] = await Promise.all([startTemporal(), startS3()]);
      return { env: { ...temporal.env, ...s3Settings(s3) }, stop: () => s3.stop() };
    },
  ],
];

describe('npm start with external parts', () => {
  for (const [name, process, start] of parts) {
    it(`uses ${name} in place of its own, and the others stay its own`, async function () {
      const part = await start();
      const stack = await startStack({ env: part.env });
      try {
        const expected = ['api', 'postgres', 'supervisor', 'temporal', 'worker'].filter(
          (each) => each !== process,
        );
        assert.deepEqual(Object.keys(stack.stack().processes).sort(), expected);
        const client = createRestClient(stack);
        const { id } = await client.upload('document', { fixture: 'notes.md' });
        const resource = await client.settled(id);
        assert.equal(resource.status, 'COMPLETED', JSON.stringify(resource.error));
        assert.match((await client.artifact(resource, 'text')).content, /\w/);
      } finally {
        assert.equal(await stack.stop(), 0);
        await part.stop();
      }
    });
  }
});
