import { findWholeResources } from '../../storage/resources/resources.js';
import { registerResource } from '../../storage/transitions/resource-requests.js';
import { found } from '../lookups/found.js';
import type { Register } from '../registration/register-resource.js';
import type { Reply } from '../route.js';
import type { McpCall } from './call.js';
import { viewWhole, type ResourceView } from './views.js';

/**
 * Registers a resource in one transaction, like the REST API; `register` receives the writer. Returns the
 * resource as shown to models.
 */
export async function saveShown(
  { deps, transact }: McpCall,
  register: (save: Register) => Promise<Reply>,
): Promise<ResourceView> {
  const { body, message } = await register((resource, written) =>
    transact(async (trx) => {
      const id = resource.id;
      const sent = await registerResource(trx, resource);
      const whole = found((await findWholeResources(trx, [id])).get(id) ?? null, 'resource', id);
      deps.logFields.add({ resource_id: id, run: whole.resource.run });
      written?.();
      const note = { action: 'registerResource', object: { type: 'resource', id } };
      const view = viewWhole(deps.config, whole.resource, whole.steps, whole.artifacts);
      return { status: 201, body: view, message: sent, note };
    }),
  );
  deps.outbox.sendSoon(message ?? null);
  return body as ResourceView;
}
