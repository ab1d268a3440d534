import { textId } from '../examples/ids.js';
import { contents } from '../examples/resource.js';
import { openArtifact, toContentJson } from '../reply/artifact-content.js';
import { defineRoute, type Route } from '../route.js';
import { uuidParam } from '../schemas/common.js';
import { artifactContentSchema } from '../schemas/artifact.js';

const get = defineRoute({
  method: 'GET',
  path: '/resources/:id/artifacts/:artifactId',
  operationId: 'getArtifact',
  summary: 'Get an artifact with its content',
  description:
    'The ids of a resource’s artifacts stand in its `artifacts`. While a run replaces a content, this answers the old one or the new one, never a mix.',
  tag: 'Resources',
  scope: 'read',
  params: { id: uuidParam('resource'), artifactId: uuidParam('artifact', textId) },
  responses: {
    200: {
      description: 'The artifact.',
      schema: artifactContentSchema,
      examples: {
        'A text': contents.text,
        'An object': contents.json,
        'Vectors, one for each of two chunks': contents.vector,
      },
    },
  },
  errors: ['ARTIFACT_UNREADABLE', 'STORAGE_UNAVAILABLE'],
  async handler({ deps, params: { id, artifactId } }) {
    const { artifact, stream } = await openArtifact(deps, id, artifactId);
    return {
      status: 200,
      type: 'application/json; charset=utf-8',
      body: await toContentJson(artifact, stream),
    };
  },
});

export const artifactRoutes: readonly Route[] = [get];
