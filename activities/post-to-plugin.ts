import { signMessage } from '../core/wire/signing.js';
import type { Deps } from '../runtime/deps.js';
import { postJson, type PostAnswer } from '../runtime/outgoing/index.js';
import { readSigningSecrets } from '../storage/plugins.js';

/** A message as it goes to an HTTP plugin. */
export interface SignedMessage {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Signs a message with the plugin's secrets that are in force. */
export async function signFor(
  { config, db }: Deps,
  pluginId: string,
  message: object,
): Promise<SignedMessage> {
  const secrets = await readSigningSecrets(db, config.secrets, pluginId);
  const body = JSON.stringify(message);
  return { body, headers: { 'content-type': 'application/json', ...signMessage(secrets, body) } };
}

/** Posts a signed message to an HTTP plugin, within the rules for outgoing requests. Throws as `postJson` does. */
export async function postToPlugin(
  { config }: Deps,
  endpoint: string,
  { body, headers }: SignedMessage,
  options: {
    readonly timeoutMs: number;
    readonly signal: AbortSignal;
    /** Bytes; 64 KiB when left out. */
    readonly maxResponseBytes?: number;
  },
): Promise<PostAnswer> {
  const policy = { allow: config.pluginHosts };
  return await postJson(endpoint, body, { maxResponseBytes: 64 * 1024, ...options, policy, headers });
}
