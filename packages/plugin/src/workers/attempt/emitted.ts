import { Readable } from 'node:stream';
import type { ReportedArtifact, SuccessReport } from '../../protocol/report.js';
import { PluginFailure } from '../../plugin-failure.js';
import type { EmittedArtifact, PluginLog } from '../../types.js';
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
   * Returns the success report once all uploads are complete. Throws the first error of an artifact that the plugin did
   * not await. Artifacts that are emitted later are only logged.
   */
  report(): Promise<SuccessReport>;
}

/** What `emit` returns. It records whether the plugin awaits it, and so sees a failure. */
class Submission extends Promise<void> {
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }
  isAwaited = false;
  override then: Promise<void>['then'] = (resolved, rejected) => {
    this.isAwaited = true;
    return super.then(resolved, rejected);
  };
}

export function createEmitted(callback: AttemptCallback, signal: AbortSignal, log: PluginLog): Emitted {
  /** In the order in which they were emitted; null: refused or not complete. */
  const artifacts: (ReportedArtifact | null)[] = [];
  const types = new Set<string>();
  const underway = new Set<Promise<void>>();
  const failed: { readonly submission: Submission; readonly error: unknown }[] = [];
  let inline = 0;
  let isReported = false;

  const add = async (artifact: EmittedArtifact): Promise<void> => {
    checkArtifact(artifact);
    if (types.has(artifact.type)) throw invalidResult(`The plugin emitted two artifacts ${artifact.type}.`);
    if (types.size >= mostArtifacts) throw invalidResult(`A step has at most ${mostArtifacts} artifacts.`);
    types.add(artifact.type);
    const place = artifacts.push(null) - 1;
    try {
      artifacts[place] = await handOver(artifact);
    } catch (error) {
      // The plugin may emit another artifact of this type instead.
      types.delete(artifact.type);
      throw error;
    }
  };

  const handOver = async (artifact: EmittedArtifact): Promise<ReportedArtifact> => {
    signal.throwIfAborted();
    const { type, content_type, content, metadata } = artifact;
    const head = { type, content_type, ...(metadata && { metadata: structuredClone(metadata) }) };
    if (isStreamed(content)) return { ...head, upload_id: await uploadStream(callback, artifact, signal) };
    const bytes = encode(artifact);
    const text = bytes.toString();
    const size = content_type === 'text' ? Buffer.byteLength(JSON.stringify(text)) : bytes.length;
    if (bytes.length <= longestInline && inline + size <= inlineRoom) {
      inline += size;
      return { ...head, content: content_type === 'text' ? text : (JSON.parse(text) as unknown) };
    }
    return { ...head, upload_id: await upload(callback, artifact, bytes, signal) };
  };

  return {
    emit(artifact) {
      if (isReported) {
        // An error would end the process if the plugin does not await this.
        log.error({ artifact: artifact.type }, 'an artifact is lost: it was emitted after run had returned');
        return Promise.resolve();
      }
      const adding = add(artifact);
      const submission = new Submission((resolve, reject) => void adding.then(resolve, reject));
      const ended = adding
        .catch((error: unknown) => void failed.push({ submission, error }))
        .finally(() => underway.delete(ended));
      underway.add(ended);
      // Node.js ends the process for a rejection without a handler. This handler does not count as an await.
      void Promise.prototype.then.call(submission, undefined, () => undefined);
      return submission;
    },
    async report() {
      while (underway.size > 0) await Promise.all(underway);
      isReported = true;
      const unseen = failed.find(({ submission }) => !submission.isAwaited);
      if (unseen !== undefined) throw unseen.error;
      return { status: 'SUCCESS', artifacts: artifacts.filter((artifact) => artifact !== null) };
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
