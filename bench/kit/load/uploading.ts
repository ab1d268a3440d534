import { Readable } from 'node:stream';
import { Agent, request } from 'undici';
import type { RunningApi } from '../parts.js';
import { uploadForm, uploadType } from './upload-form.js';

const mib = 1024 ** 2;

/** Registers files of any size, whose bytes are generated while they are sent. */
export interface Uploading {
  /** Sends this many pieces of 1 MiB as one file of a type without a pipeline. Resolves when it is answered. */
  send(count: number, piece: () => Buffer): Promise<void>;
  close(): Promise<void>;
}

export function startUploading(
  { base, key }: Pick<RunningApi, 'base' | 'key'>,
  connections: number,
): Uploading {
  const dispatcher = new Agent({ connections, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 });
  const { head, tail } = uploadForm({ name: 'bench', type: 'untouched' }, { fileName: 'f.bin' });
  function* body(count: number, piece: () => Buffer): Generator<Buffer> {
    yield Buffer.from(head);
    for (let index = 0; index < count; index++) yield piece();
    yield Buffer.from(tail);
  }
  return {
    async send(count, piece) {
      const answer = await request(`${base}/api/v1/resources`, {
        method: 'POST',
        dispatcher,
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': uploadType,
          'content-length': String(head.length + count * mib + tail.length),
        },
        body: Readable.from(body(count, piece), { objectMode: false }),
      });
      const text = await answer.body.text();
      if (answer.statusCode !== 201) throw new Error(`POST returned ${answer.statusCode}: ${text}`);
    },
    close: () => dispatcher.destroy(),
  };
}
