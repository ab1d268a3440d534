import { randomBytes } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { Readable } from 'node:stream';
import { DeleteObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { Agent, request } from 'undici';
import { toCount, type Bench, type Count, type Figure } from '../kit/figure.js';
import { inTurns, manyAtOnce, timed } from '../kit/in-turns.js';
import { startParts, type RunningApi } from '../kit/parts.js';
import { peaksDuring, residentMib } from '../kit/costs/process-cost.js';
import { startBenchS3, type BenchS3 } from '../kit/s3.js';
import { uploadForm, uploadType } from '../kit/load/upload-form.js';

const mib = 1024 ** 2;
const files = 200;
const inFlight = 20;
const piece = randomBytes(mib);

/** How fast files are uploaded, and how much of the API's memory that takes. */
export const upload: Bench = {
  name: 'upload',
  about: `one file of 4 GiB, and ${files} of 1 MiB with ${inFlight} in flight, to the service on S3 (versitygw); the same files with lib-storage's Upload and with PutObject, from the bench's process`,
  async run({ scale, say }) {
    const size = Math.max(16, Math.round(4096 * scale));
    await requireDisk(size);
    const many = Math.max(inFlight, Math.round(files * scale));
    const s3 = await startBenchS3();
    const parts = await startParts(s3.env);
    const api = await parts.startApi();
    const dispatcher = new Agent({ connections: inFlight, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 });
    try {
      /** Deletes the uploaded objects. */
      const empty = async (): Promise<void> => {
        const keys = await parts.db('resources').whereNotNull('object_key').pluck<string[]>('object_key');
        await manyAtOnce(keys.length, inFlight, (index) => remove(s3, keys[index]!));
        await parts.db('resources').delete();
      };
      await send(api, dispatcher, 1);
      await empty();
      const before = residentMib(api.pid);
      const counts: Count[] = [];
      const compare = async (
        what: string,
        total: number,
        sides: { readonly ours: () => Promise<unknown>; readonly beside: () => Promise<unknown> },
      ): Promise<Figure> => {
        const rate = async (side: string, work: () => Promise<unknown>): Promise<number> => {
          const value = (total * 1000) / (await timed(work));
          say(`${what}: ${value.toFixed(0)} MiB/s ${side}`);
          return value;
        };
        const growth: number[] = [];
        const rates = await inTurns(3, {
          ours: async () => {
            let value = 0;
            const [peak] = await peaksDuring([api.pid], async () => {
              value = await rate('of ours', sides.ours);
            });
            growth.push((peak ?? Number.NaN) - before);
            await empty();
            return value;
          },
          beside: async () => {
            const value = await rate('bare', sides.beside);
            await manyAtOnce(many, inFlight, (index) => remove(s3, `bare-${index}`));
            return value;
          },
        });
        counts.push(
          toCount(`growth of the API’s memory: ${what}`, 'MiB', Math.max(...growth), { atMost: 64 }),
        );
        return { what, unit: 'MiB/s', ...rates, goal: { atLeast: 0.8 } };
      };
      const figures = [
        await compare(`one file of ${size} MiB`, size, {
          ours: () => send(api, dispatcher, size),
          beside: () => {
            const Body = Readable.from(pieces(size), { objectMode: false });
            return new Upload({
              client: s3.client,
              params: { Bucket: s3.bucket, Key: 'bare-0', Body },
            }).done();
          },
        }),
        await compare(`${many} files of 1 MiB`, many, {
          ours: () => manyAtOnce(many, inFlight, () => send(api, dispatcher, 1)),
          beside: () =>
            manyAtOnce(many, inFlight, async (index) => {
              const target = { Bucket: s3.bucket, Key: `bare-${index}`, Body: piece };
              await s3.client.send(new PutObjectCommand(target));
            }),
        }),
      ];
      return { figures, counts };
    } finally {
      await dispatcher.destroy();
      await parts.stop();
      await s3.stop();
    }
  },
};

/** Checks the free space: a server stores the parts of an upload besides the assembled object. */
async function requireDisk(size: number): Promise<void> {
  const { bavail, bsize } = await statfs(tmpdir());
  const [free, needed] = [Math.floor((bavail * bsize) / mib), Math.round(size * 2.5)];
  if (free < needed)
    throw new Error(`${tmpdir()} has ${free} MiB free; ${needed} are needed. Use a smaller --scale.`);
}

const { head, tail } = uploadForm({ name: 'bench', type: 'untouched' }, { fileName: 'f.bin' });

/** Registers this many pieces as one file of a type without a pipeline. The bytes are generated while they are sent. */
async function send({ base, key }: RunningApi, dispatcher: Agent, count: number): Promise<void> {
  const answer = await request(`${base}/api/v1/resources`, {
    method: 'POST',
    dispatcher,
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': uploadType,
      'content-length': String(head.length + count * mib + tail.length),
    },
    body: Readable.from(form(count), { objectMode: false }),
  });
  const text = await answer.body.text();
  if (answer.statusCode !== 201) throw new Error(`POST returned ${answer.statusCode}: ${text}`);
}

function* form(count: number): Generator<Buffer> {
  yield Buffer.from(head);
  yield* pieces(count);
  yield Buffer.from(tail);
}

async function remove({ client, bucket }: BenchS3, Key: string): Promise<void> {
  await client.send(new DeleteObjectCommand({ Bucket: bucket, Key }));
}

function* pieces(count: number): Generator<Buffer> {
  for (let index = 0; index < count; index++) yield piece;
}
