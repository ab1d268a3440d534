import { textId } from '../examples/ids.js';
import { contents } from '../examples/resource.js';
import { entityTag } from '../../core/secrets/entity-tag.js';
import { unreadableArtifact } from '../../storage/object-store/unreadable.js';
import { openEnvelope, withArtifact } from '../reply/artifact-content.js';
import { chooseForm } from '../reply/artifact-form.js';
import { inertHeaders, replyWithBytes } from '../reply/stored-bytes.js';
import { isNotModified } from '../request/preconditions.js';
import { defineRoute, type Reply, type Route } from '../route.js';
import { uuidParam } from '../schemas/common.js';
import { artifactContentSchema } from '../schemas/artifact.js';

const get = defineRoute({
  method: 'GET',
  path: '/resources/:id/artifacts/:artifactId',
  operationId: 'getArtifact',
  summary: 'Get an artifact with its content',
  description:
    'A resource lists the ids of its artifacts in `artifacts`. While a run replaces the content, this returns the old or the new content, never a mix.\n\n`Accept` can select only the content instead of this object: `text/plain` for a text, `application/octet-stream` for any content. A `Range` of bytes then works. If `Accept` ranks `application/json` equally high, the response is the object.',
  tag: 'Resources',
  scope: 'read',
  tagged: true,
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
      alternatives: {
        'text/plain': { 'Only the text': contents.text.content },
        'application/octet-stream': { 'The same as bytes': contents.text.content },
      },
    },
    206: {
      description: 'The requested range of the content, in the media type of the whole.',
      // Not by media type: a range of JSON is not JSON.
      mediaType: '*/*',
      examples: { 'Range: bytes=0-8': '1. Intake' },
    },
  },
  errors: ['NOT_ACCEPTABLE', 'RANGE_NOT_SATISFIABLE', 'ARTIFACT_UNREADABLE', 'STORAGE_UNAVAILABLE'],
  async handler({ koa, deps, params: { id, artifactId } }) {
    koa.vary('Accept');
    return await withArtifact(deps, id, artifactId, async (artifact): Promise<Reply> => {
      const form = chooseForm(koa.headers.accept, artifact.content_type);
      const { sha256, object_key, type } = artifact;
      const etag = entityTag(deps.config.secrets, [sha256 ?? object_key, type, form]);
      // Respond before the bytes are opened.
      if (isNotModified(koa, etag)) return { status: 200, headers: { ETag: etag } };
      if (form === 'envelope') {
        const body = await openEnvelope(deps, artifact);
        return { status: 200, type: 'application/json; charset=utf-8', body, headers: { ETag: etag } };
      }
      return await replyWithBytes(koa, deps.objectStore, {
        ...artifact,
        mediaType: form === 'text/plain' ? 'text/plain; charset=utf-8' : form,
        unreadable: unreadableArtifact(artifact),
        headers: { ...inertHeaders, ETag: etag },
      });
    });
  },
});

export const artifactRoutes: readonly Route[] = [get];
