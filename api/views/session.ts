import type { Principal } from '../auth/principal.js';
import type { ApiDeps } from '../deps.js';

/** Returns the caller's identity, the position of the event stream, and the service settings that a page needs. */
export async function viewSession(
  { config: { publicUrl, temporal }, events }: Pick<ApiDeps, 'config' | 'events'>,
  principal: Principal,
): Promise<object> {
  return {
    api_key: { id: principal.keyId, name: principal.keyName, scopes: principal.scopes },
    expires_at: principal.session?.expiresAt.toISOString() ?? null,
    public_url: publicUrl,
    temporal_ui:
      temporal.uiUrl === null
        ? null
        : `${temporal.uiUrl}/namespaces/${encodeURIComponent(temporal.namespace)}`,
    last_event_id: await events.currentPosition(),
  };
}
