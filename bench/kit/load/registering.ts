import { Agent, request } from 'undici';
import type { RunningApi } from '../parts.js';
import { uploadForm, uploadType } from './upload-form.js';

/** Registers small files as fast as they are answered. */
export interface Registering {
  /** Registers a file. Returns the id. */
  register(type: string, content?: string): Promise<string>;
  close(): Promise<void>;
}

/** Starts a client with a low cost of its own: persistent connections, and bodies made of two strings. */
export function startRegistering(
  { base, key }: Pick<RunningApi, 'base' | 'key'>,
  connections: number,
): Registering {
  const dispatcher = new Agent({ connections, pipelining: 1 });
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': uploadType,
  };
  return {
    async register(type, content = 'x') {
      const { head, tail } = uploadForm({ name: 'bench', type }, { fileName: 'f.txt' });
      const answer = await request(`${base}/api/v1/resources`, {
        method: 'POST',
        dispatcher,
        headers,
        body: head + content + tail,
      });
      const text = await answer.body.text();
      if (answer.statusCode !== 201) throw new Error(`POST returned ${answer.statusCode}: ${text}`);
      return (JSON.parse(text) as { id: string }).id;
    },
    close: () => dispatcher.destroy(),
  };
}
