import { SpanKind } from '@opentelemetry/api';
import { signMessage } from '@knowledge-warehouse/plugin/signing';
import type { Deps } from '../../runtime/deps.js';
import { postJson, type PostResponse } from '../../runtime/outgoing/index.js';
import type { LogFields } from '../../runtime/logging/log-fields.js';
import { currentTrace } from '../../runtime/logging/origin.js';
import { inSpan } from '../../runtime/tracing/spans.js';
import { readSigningSecrets } from '../../storage/pipelines/plugins.js';

/** A message in the form in which it is sent to an HTTP plugin. */
export interface SignedMessage {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Signs a message with the plugin's current secrets. */
export async function signFor(
  { config, clock, db }: Deps,
  pluginId: string,
  message: object,
): Promise<SignedMessage> {
  const secrets = await readSigningSecrets(db, config.secrets, pluginId);
  const body = JSON.stringify(message);
  return {
    body,
    headers: { 'content-type': 'application/json', ...signMessage(secrets, body, undefined, clock.now()) },
  };
}

/**
 * Posts a signed message to an HTTP plugin, subject to the rules for outgoing requests, with the request and
 * trace ids in its headers. Throws as `postJson` does.
 */
export async function postToPlugin(
  { config, logFields }: Deps,
  endpoint: string,
  { body, headers }: SignedMessage,
  options: {
    readonly timeoutMs: number;
    readonly signal: AbortSignal;
    /** Bytes of the body of a 200; without it, the body is ignored. */
    readonly maxResponseBytes?: number;
  },
): Promise<PostResponse> {
  const policy = { allow: config.pluginHosts };
  const attributes = { 'http.request.method': 'POST', 'url.full': endpoint };
  return await inSpan('POST plugin', { kind: SpanKind.CLIENT, attributes }, async (span) => {
    const answer = await postJson(endpoint, body, {
      ...options,
      policy,
      headers: { ...headers, ...currentTrace(), ...requestHeader(logFields) },
    });
    span.setAttribute('http.response.status_code', answer.status);
    return answer;
  });
}

/** Lets the worker's requests to Core carry the same id. */
function requestHeader(logFields: LogFields): Record<string, string> {
  const { request_id: id } = logFields.current();
  return typeof id === 'string' ? { 'x-request-id': id } : {};
}
