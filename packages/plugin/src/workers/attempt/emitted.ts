import { Readable } from 'node:stream';
import type { ReportedArtifact } from '../../protocol/report.js';
import { invalidResult, PluginFailure } from '../../plugin-failure.js';
import type { EmittedArtifact, PluginLog } from '../../types.js';
import type { AttemptCallback } from './attempt-callback.js';
import { encode } from '../../check-artifact.js';
import { collectEmitted, type Emitted } from '../../collect-emitted.js';
import { bytesOf, isStreamed } from '../../content-bytes.js';
import { CoreError } from '../core/core-error.js';

/** The maximum size of an inline content, in bytes. */
const longestInline = 256 * 1024;
/** Maximum bytes of JSON of all inline contents; metadata may add 1.6 MiB, and a report may have 4 MiB in total. */
const inlineRoom = 2 * 1024 * 1024;
/** Collects the artifacts of an attempt: uploaded to Core, or small enough for its report. */
export function createEmitted(
  callback: AttemptCallback,
  signal: AbortSignal,
  log: PluginLog,
): Emitted<ReportedArtifact> {
  let inline = 0;
  const handOver = async (artifact: EmittedArtifact): Promise<ReportedArtifact> => {
    signal.throwIfAborted();
    const { type, content_type, content, metadata } = artifact;
    const head = { type, content_type, ...(metadata && { metadata: structuredClone(metadata) }) };
    if (isStreamed(content)) return { ...head, upload_id: await uploadStream(callback, artifact, signal) };
    const bytes = encode(artifact);
    if (bytes.length <= longestInline) {
      const text = bytes.toString();
      const size = content_type === 'text' ? Buffer.byteLength(JSON.stringify(text)) : bytes.length;
      if (inline + size <= inlineRoom) {
        inline += size;
        return { ...head, content: content_type === 'text' ? text : (JSON.parse(text) as unknown) };
      }
    }
    return { ...head, upload_id: await upload(callback, artifact, bytes, signal) };
  };
  return collectEmitted(handOver, ({ type }) => {
    // An error would end the process if the plugin does not await this.
    log.error({ artifact: type }, 'an artifact is lost: it was emitted after run() had returned');
  });
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
