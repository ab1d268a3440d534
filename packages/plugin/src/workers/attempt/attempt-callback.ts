import type { Readable } from 'node:stream';
import type { ReportedArtifact, Report } from '../../protocol/report.js';
import { internalUrls, type StepMessage } from '../../protocol/step.js';
import type { PluginLog } from '../../types.js';
import type { CoreClient } from '../core/core-client.js';
import { whileCoreIsAway, type CoreError } from '../core/core-error.js';
import { resumed, type ExpectedContent } from '../core/resumed.js';

/** The requests that an attempt's token allows. All methods throw CoreError, or the signal's reason if it aborts. */
export interface AttemptCallback {
  /** Sends an outcome or progress, with retries while Core is away. Resolves with whether to cancel the attempt. */
  report(report: Report, signal: AbortSignal): Promise<{ readonly cancelRequested: boolean }>;
  /** Like `report`, but without retries. */
  tell(report: Report, signal: AbortSignal): Promise<{ readonly cancelRequested: boolean }>;
  /** Uploads a content before its report. Resolves with the upload's id. */
  upload(
    artifact: Pick<ReportedArtifact, 'type' | 'content_type'>,
    content: Buffer | Readable,
    signal: AbortSignal,
  ): Promise<string>;
  /** Opens the source or an input. A broken connection is resumed at the same position. */
  read(expected: ExpectedContent, signal: AbortSignal): Promise<Readable>;
}

export function createAttemptCallback(
  client: CoreClient,
  { callback: { url, token } }: StepMessage,
  log: PluginLog,
): AttemptCallback {
  const onAway = (error: CoreError): void => log.warn({ err: error }, `${error.message}; retrying`);

  const tell: AttemptCallback['tell'] = async (report, signal) => {
    const { body } = await client.call({ method: 'POST', url, bearer: token, json: report, signal });
    return { cancelRequested: (body as { cancel_requested?: boolean }).cancel_requested === true };
  };
  return {
    tell,
    report: (report, signal) => whileCoreIsAway(() => tell(report, signal), signal, onAway),
    async upload({ type, content_type }, content, signal) {
      const query = new URLSearchParams({ type, content_type }).toString();
      const mediaType = content_type === 'text' ? 'text/plain; charset=utf-8' : 'application/json';
      const send = async (): Promise<string> => {
        const { body } = await client.call({
          method: 'PUT',
          url: `${internalUrls.uploads(url)}?${query}`,
          bearer: token,
          bytes: { content, mediaType },
          signal,
        });
        return (body as { upload_id: string }).upload_id;
      };
      // A stream can be read only once, so a failed upload of one cannot be retried.
      return Buffer.isBuffer(content) ? await whileCoreIsAway(send, signal, onAway) : await send();
    },
    read: (expected, signal) =>
      resumed(
        expected,
        (from) => client.open({ method: 'GET', url: expected.url, bearer: token, from, signal }),
        signal,
        onAway,
      ),
  };
}
