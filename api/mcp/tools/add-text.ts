import { createHash } from 'node:crypto';
import { checkMetadataSize } from '../../../core/resources/metadata.js';
import { newUploadKey, registerUpload } from '../../registration/register-resource.js';
import { addTextInput, getOutput } from '../../schemas/mcp.js';
import type { ReceivedUpload } from '../../uploads/receive-upload.js';
import type { McpCall } from '../call.js';
import { saveShown } from '../save-resource.js';
import { defineTool } from '../tool.js';

export const addText = defineTool({
  name: 'add_text',
  title: 'Add a text',
  description:
    'Adds a text of your own, such as notes or a summary, to the warehouse, so that it can be found later. The text is processed in the background: the result has its id and status, and get_resource shows when it is COMPLETED. Call this when the user asks to keep something.',
  scope: 'write',
  input: addTextInput,
  output: getOutput,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  async run({ text, name, type = 'document', metadata = {} }, call) {
    checkMetadataSize(metadata, '/metadata');
    const upload = await storeText(call, text);
    return await saveShown(call, (save) => registerUpload(call.deps, { name, type, metadata }, upload, save));
  },
});

/** Stores a text as if it had been uploaded as a Markdown file. */
async function storeText({ deps }: McpCall, text: string): Promise<ReceivedUpload> {
  const key = newUploadKey();
  const bytes = Buffer.from(text);
  const media_type = 'text/markdown';
  await deps.objectStore.put(key, bytes, { mediaType: media_type });
  return {
    fields: {},
    file: {
      key,
      original_name: 'text.md',
      size_bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      media_type,
    },
    discard: () =>
      deps.objectStore
        .delete([key])
        .catch((err: unknown) => deps.log.warn({ err, key }, 'a refused text was not removed')),
  };
}
