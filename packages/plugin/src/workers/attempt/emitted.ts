import { Readable } from 'node:stream';
import type { ReportedArtifact, SuccessReport } from '../../protocol/report.js';
import { PluginFailure } from '../../plugin-failure.js';
import type { EmittedArtifact } from '../../types.js';
import type { AttemptCallback } from './attempt-callback.js';
import { checkArtifact, encode, invalidResult } from '../../check-artifact.js';
import { bytesOf, isStreamed } from '../../content-bytes.js';
import { CoreError } from '../core/core-error.js';

/** The maximum size of an inline content, in bytes. */
const longestInline = 256 * 1024;
/** Maximum bytes of JSON of all inline contents; metadata may add 1.6 MiB, and a report may have 4 MiB in total. */
const inlineRoom = 2 * 1024 * 1024;
/** The maximum number of artifacts in a report. */
const mostArtifacts = 100;

/** The artifacts that an attempt has emitted so far: already uploaded to Core, or small enough for the report. */
export interface Emitted {
  emit(artifact: EmittedArtifact): Promise<void>;
  /**
   * Returns the success report once all uploads are complete. Throws the error of an upload that the plugin did not
   * await.
   */
  report(): Promise<SuccessReport>;
}

export function createEmitted(callback: AttemptCallback, signal: AbortSignal): Emitted {
  const artifacts: ReportedArtifact[] = [];
  const types = new Set<string>();
  const underway = new Set<Promise<void>>();
  let inline = 0;

  const add = async (artifact: EmittedArtifact): Promise<void> => {
    checkArtifact(artifact);
    if (types.has(artifact.type)) throw invalidResult(`The plugin emitted two artifacts ${artifact.type}.`);
    if (types.size >= mostArtifacts) throw invalidResult(`A step has at most ${mostArtifacts} artifacts.`);
    types.add(artifact.type);
    signal.throwIfAborted();
    const { type, content_type, content, metadata } = artifact;
    const head = { type, content_type, ...(metadata && { metadata: structuredClone(metadata) }) };
    const place = artifacts.push({ ...head, content: null }) - 1;
    if (isStreamed(content)) {
      artifacts[place] = { ...head, upload_id: await uploadStream(callback, artifact, signal) };
      return;
    }
    const bytes = encode(artifact);
    const text = bytes.toString();
    const size = content_type === 'text' ? Buffer.byteLength(JSON.stringify(text)) : bytes.length;
    if (bytes.length <= longestInline && inline + size <= inlineRoom) {
      inline += size;
      artifacts[place] = { ...head, content: content_type === 'text' ? text : (JSON.parse(text) as unknown) };
    } else {
      artifacts[place] = { ...head, upload_id: await upload(callback, artifact, bytes, signal) };
    }
  };

  return {
    emit(artifact) {
      const handing = add(artifact).finally(() => underway.delete(handing));
      underway.add(handing);
      // If the plugin does not await it, `report` does.
      handing.catch(() => undefined);
      return handing;
    },
    async report() {
      await Promise.all(underway);
      return { status: 'SUCCESS', artifacts };
    },
  };
}

async function uploadStream(
  callback: AttemptCallback,
  artifact: EmittedArtifact,
  signal: AbortSignal,
): Promise<string> {
  let thrown: { readonly error: unknown } | null = null;
  async function* watched(): AsyncGenerator<Uint8Array> {
    try {
      if (isStreamed(artifact.content)) yield* bytesOf(artifact.content);
    } catch (error) {
      thrown = { error };
      throw error;
    }
  }
  const stream = Readable.from(watched(), { objectMode: false });
  try {
    return await upload(callback, artifact, stream, signal);
  } catch (error) {
    stream.destroy();
    throw ((thrown as { readonly error: unknown } | null)?.error ?? error) as Error;
  }
}

async function upload(
  callback: AttemptCallback,
  artifact: EmittedArtifact,
  content: Buffer | Readable,
  signal: AbortSignal,
): Promise<string> {
  try {
    return await callback.upload(artifact, content, signal);
  } catch (error) {
    if (!(error instanceof CoreError)) throw error;
    const message = `The artifact ${artifact.type} was not accepted: ${error.message}`;
    if (error.status === 400) throw invalidResult(message);
    if (error.status === 413) throw new PluginFailure('ARTIFACT_TOO_LARGE', message, { retryable: false });
    throw error;
  }
}
