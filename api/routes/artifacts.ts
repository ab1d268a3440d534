import { openArtifact, toContentJson } from '../artifact-content.js';
import { defineRoute, type Route } from '../route.js';
import { uuidParam } from '../schemas/common.js';
import { artifactContentSchema } from '../schemas/artifact.js';

const get = defineRoute({
  method: 'GET',
  path: '/resources/:id/artifacts/:artifactId',
  operationId: 'getArtifact',
  summary: 'Get an artifact with its content',
  tag: 'Resources',
  scope: 'read',
  params: { id: uuidParam('resource'), artifactId: uuidParam('artifact') },
  responses: { 200: { description: 'The artifact.', schema: artifactContentSchema } },
  errors: ['STORAGE_UNAVAILABLE'],
  async handler({ deps, params: { id, artifactId } }) {
    const { artifact, stream } = await openArtifact(deps, id, artifactId);
    return { status: 200, body: toContentJson(artifact, stream) };
  },
});

export const artifactRoutes: readonly Route[] = [get];
