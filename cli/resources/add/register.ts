import { basename, extname } from 'node:path';

import type { Client } from '../../service/client.js';
import {
  ApiError,
  isTransient,
  type Metadata,
  type Patience,
  type Resource,
} from '@knowledge-warehouse/client';
import { requireResource } from '../../service/find-resource.js';
import { duration } from '../../terminal/units.js';
import type { Board } from '../board.js';
import { openFile, openStream, readFile } from './open-file.js';
import type { Source } from './sources.js';

/** How long failed requests are retried. */
const tries = 9;

/** Registers sources, each exactly once, however often its request has to be sent. */
export interface Registrar {
  /** Throws ApiError, Unreachable, or CommandError for a file that cannot be read. */
  register(key: string, source: Source): Promise<Resource>;
  /** Whether the service may have registered it although the response was lost. */
  mayBeRegistered(key: string): boolean;
}

/** What mktemp appends to a name: six or more letters and digits, not only lower-case letters as in ".geojson". */
const randomExtension = /^\.(?![a-z]+$)[A-Za-z0-9]{6,}$/;

/** Whether the file's own name says more about its format than the name of the resource, which is sent otherwise. */
function tellsFormat({ path, name }: { readonly path: string; readonly name: string }): boolean {
  const own = extname(path);
  return own !== '' && !(randomExtension.test(own) && extname(name) !== '');
}

export function createRegistrar(
  { client, board, signal }: { readonly client: Client; readonly board: Board; readonly signal: AbortSignal },
  { type, metadata }: { readonly type: string; readonly metadata?: Metadata },
): Registrar {
  const shared = { type, ...(metadata && { metadata }) };
  const whollySent = new Set<string>();

  const patienceFor = ({ name }: Source): Patience => ({
    tries,
    onRetry: (error, waitMs) => board.note(name, `${error.message} Retrying in ${duration(waitMs)}.`),
  });

  const upload = async (key: string, source: Exclude<Source, { kind: 'url' }>): Promise<Resource> => {
    const file = await (source.kind === 'file'
      ? openFile(source.opened, signal)
      : openStream(process.stdin, signal));
    try {
      const { size } = await file.stat();
      const onSent = board.upload(key, source.name, size);
      const resource = await client.upload({
        name: source.name,
        ...shared,
        ...(source.kind === 'file' && tellsFormat(source) && { fileName: basename(source.path) }),
        file: { size, read: () => readFile(file, size) },
        patience: patienceFor(source),
        onSent(bytes) {
          onSent(bytes);
          if (bytes === size) whollySent.add(key);
        },
      });
      if ((await file.stat()).size > size)
        board.note(source.name, `it grew while it was read: only its first ${size} bytes were registered`);
      return resource;
    } finally {
      await file.close();
    }
  };

  return {
    mayBeRegistered: (key) => whollySent.has(key),
    async register(key, source) {
      if (source.kind === 'url') whollySent.add(key);
      try {
        const resource = await (source.kind === 'url'
          ? client.addUrl({ name: source.name, ...shared, url: source.url, patience: patienceFor(source) })
          : upload(key, source));
        whollySent.delete(key);
        return requireResource(resource);
      } catch (error) {
        if (error instanceof ApiError && !isTransient(error)) whollySent.delete(key);
        throw error;
      }
    },
  };
}
