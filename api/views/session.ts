import type { Config } from '../../runtime/settings/config.js';
import type { Principal } from '../auth/principal.js';

/** Returns the caller's identity and the service settings that a page needs. */
export function viewSession({ publicUrl, temporal }: Config, principal: Principal): object {
  return {
    api_key: { id: principal.keyId, name: principal.keyName, scopes: principal.scopes },
    expires_at: principal.session?.expiresAt.toISOString() ?? null,
    public_url: publicUrl,
    temporal_ui:
      temporal.uiUrl === null
        ? null
        : `${temporal.uiUrl}/namespaces/${encodeURIComponent(temporal.namespace)}`,
  };
}
