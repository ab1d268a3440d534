import type { Route } from '../route.js';
import { artifactRoutes } from './artifacts.js';
import { auditRoutes } from './audit.js';
import { bulkOperationRoutes } from './bulk-operations.js';
import { docsRoutes } from './docs.js';
import { eventRoutes } from './events.js';
import { healthRoutes } from './health.js';
import { internalRoutes } from './internal.js';
import { keyRoutes } from './keys.js';
import { operationRoutes } from './operations.js';
import { pipelineRoutes } from './pipelines.js';
import { pluginRegistrationRoutes } from './plugin-registration.js';
import { pluginRoutes } from './plugins.js';
import { resourceRunRoutes } from './resource-runs.js';
import { resourceSourceRoutes } from './resource-source.js';
import { resourceRoutes } from './resources.js';
import { searchRoutes } from './search.js';
import { sessionRoutes } from './session.js';
import { systemRoutes } from './system.js';

/** Every operation of the service, in the order of the OpenAPI document. */
export const routes: readonly Route[] = [
  ...resourceRoutes,
  ...resourceRunRoutes,
  ...resourceSourceRoutes,
  ...bulkOperationRoutes,
  ...artifactRoutes,
  ...searchRoutes,
  ...pipelineRoutes,
  ...pluginRoutes,
  ...pluginRegistrationRoutes,
  ...internalRoutes,
  ...eventRoutes,
  ...sessionRoutes,
  ...keyRoutes,
  ...auditRoutes,
  ...healthRoutes,
  ...operationRoutes,
  ...systemRoutes,
  ...docsRoutes,
];
