import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { RunningApi } from '../parts.js';
import { uploadForm, uploadType } from './upload-form.js';

/** The client retries after a 503, like our clients, but with a time limit. */
const retryMs = 500;
const giveUpMs = 300_000;

/** A file as a user has it. */
export interface SentFile {
  readonly fileName: string;
  readonly mediaType: string;
  readonly content: Buffer;
}

/** Registers files of any format over persistent connections. */
export interface Sending {
  /** Registers a file under a resource name, and retries after a 503. Returns the id. */
  send(file: SentFile, type: string, name: string): Promise<string>;
  /** Returns the responses 503 so far: the time and the body of each. */
  refused(): readonly string[];
  close(): Promise<void>;
}

export function startSending({ base, key }: Pick<RunningApi, 'base' | 'key'>, connections: number): Sending {
  const dispatcher = new Agent({ connections, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 });
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': uploadType,
  };
  const refused: string[] = [];
  return {
    refused: () => refused,
    async send(file, type, name) {
      const { head, tail } = uploadForm({ name, type }, file);
      const body = Buffer.concat([Buffer.from(head), file.content, Buffer.from(tail)]);
      const url = `${base}/api/v1/resources`;
      const giveUpAt = Date.now() + giveUpMs;
      for (;;) {
        const answer = await request(url, { method: 'POST', dispatcher, headers, body });
        const text = await answer.body.text();
        if (answer.statusCode === 201) return (JSON.parse(text) as { id: string }).id;
        if (answer.statusCode !== 503 || Date.now() > giveUpAt)
          throw new Error(`POST returned ${answer.statusCode}: ${text}`);
        refused.push(`${new Date().toISOString()} ${text}`);
        await sleep(retryMs);
      }
    },
    close: () => dispatcher.destroy(),
  };
}
