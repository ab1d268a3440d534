import { hasScope } from '../auth/principal.js';
import { defineRoute, type Route } from '../route.js';
import { systemSchema } from '../schemas/system.js';
import { viewAddresses } from '../views/addresses.js';

const get = defineRoute({
  method: 'GET',
  path: '/system',
  operationId: 'getSystem',
  summary: 'Get the state of the service',
  description:
    'Versions, task queues with their workers, long waits, open clean-ups and disk space. Results are cached for a few seconds. Only admin keys see `addresses`. `GET /search/status` describes the search index.',
  tag: 'Operations',
  scope: 'read',
  responses: { 200: { description: 'The state of the service.', schema: systemSchema } },
  async handler({ deps, principal }) {
    const system = await deps.system();
    const addresses = hasScope(principal, 'admin') ? viewAddresses(deps.config) : null;
    return { status: 200, body: { ...system, addresses } };
  },
});

export const systemRoutes: readonly Route[] = [get];
