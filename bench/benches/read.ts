import { GetObjectCommand } from '@aws-sdk/client-s3';
import type { Bench } from '../kit/figure.js';
import { inTurns } from '../kit/in-turns.js';
import { perSecond, startGetter } from '../kit/load/load.js';
import { artifactBytes, makeArtifacts, type ArtifactRow } from '../kit/corpora/made-artifacts.js';
import { startParts } from '../kit/parts.js';
import { startBenchS3 } from '../kit/s3.js';

const connections = 32;

/** Requests per second that read one object. */
export const read: Bench = {
  name: 'read',
  about: `GET of a resource and of an artifact of ${artifactBytes} bytes on S3 (versitygw), ${connections} connections; bare Koa and pg with a one-row query; GET of the same objects with the AWS SDK`,
  async run({ scale, say }) {
    const seconds = Math.max(0.5, 5 * scale);
    const s3 = await startBenchS3();
    const parts = await startParts(s3.env);
    const api = await parts.startApi();
    await parts.startWorker();
    const koa = await parts.startProgram(new URL('../bare/koa.ts', import.meta.url), [parts.postgres.url]);
    const bareUrl = /bare Koa at (\S+)/.exec(koa.output())?.[1] ?? '';
    const getter = startGetter(connections, api.key);
    try {
      const rows = await makeArtifacts(parts, api);
      const at = (index: number): ArtifactRow => rows[index % rows.length]!;
      const rate = (what: string, one: (index: number) => Promise<void>) => async () => {
        const value = await perSecond(seconds, connections, one);
        say(`${value.toFixed(0)} ${what}/s`);
        return value;
      };
      const path = (index: number): string => `${api.base}/api/v1/resources/${at(index).resource_id}`;
      const resource = await inTurns(5, {
        ours: rate('GET /resources/{id}', (index) => getter.get(path(index))),
        beside: rate('bare rows', (index) => getter.get(`${bareUrl}${at(index).resource_id}`)),
      });
      const artifact = await inTurns(5, {
        ours: rate('GET artifact', (index) => getter.get(`${path(index)}/artifacts/${at(index).id}`)),
        beside: rate('bare objects', async (index) => {
          const command = new GetObjectCommand({ Bucket: s3.bucket, Key: at(index).object_key });
          await (await s3.client.send(command)).Body?.transformToByteArray();
        }),
      });
      const [unit, goal] = ['requests/s', { atLeast: 0.6 }] as const;
      return {
        figures: [
          { what: 'GET /resources/{id}', unit, ...resource, goal },
          { what: 'GET artifact', unit, ...artifact, goal },
        ],
      };
    } finally {
      await getter.close();
      await parts.stop();
      await s3.stop();
    }
  },
};
