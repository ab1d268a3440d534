import { randomUUID } from 'node:crypto';

import type { Client } from '../../service/client.js';
import type { Patience } from '../../service/retries.js';
import type { Resource } from '../../service/types.js';
import { duration } from '../../terminal/units.js';
import type { Board } from '../board.js';
import { openFile, openStream } from './open-file.js';
import type { Source } from './sources.js';
import { uploadBody } from './upload-body.js';

/** Tries until half a minute has gone by. */
const tries = 9;

/** Registers sources: each once, however often its request has to be sent. */
export interface Registrar {
  /** Throws ApiError, Unreachable, or CommandError for a file that cannot be read. */
  register(key: string, source: Source): Promise<Resource>;
  /** Whether the service may have registered it without our hearing of it. */
  mayBeRegistered(key: string): boolean;
}

export function createRegistrar(
  { client, board, signal }: { readonly client: Client; readonly board: Board; readonly signal: AbortSignal },
  type: string,
): Registrar {
  const whollySent = new Set<string>();

  const post = async (key: string, source: Source, content: object): Promise<Resource> => {
    const patience: Patience = {
      tries,
      onRetry: (error, waitMs) => board.note(source.name, `${error.message} Again in ${duration(waitMs)}.`),
    };
    const headers = { 'idempotency-key': randomUUID() };
    const { body } = await client.call<Resource>('POST', '/resources', { ...content, headers, patience });
    whollySent.delete(key);
    return body;
  };

  const upload = async (key: string, source: Exclude<Source, { kind: 'url' }>): Promise<Resource> => {
    const file = await (source.kind === 'file'
      ? openFile(source.path, signal)
      : openStream(process.stdin, signal));
    try {
      const { size } = await file.stat();
      const onSent = board.upload(key, source.name, size);
      const fields = { name: source.name, type, fileName: source.name };
      const sent = (bytes: number): void => {
        onSent(bytes);
        if (bytes === size) whollySent.add(key);
      };
      return await post(key, source, { body: uploadBody(file, size, fields, sent) });
    } finally {
      await file.close();
    }
  };

  return {
    mayBeRegistered: (key) => whollySent.has(key),
    async register(key, source) {
      if (source.kind !== 'url') return await upload(key, source);
      whollySent.add(key);
      return await post(key, source, {
        json: { name: source.name, type, source: { kind: 'URL', url: source.url } },
      });
    },
  };
}
