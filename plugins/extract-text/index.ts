import { Readable } from 'node:stream';
import { definePlugin, type PluginContext } from '../sdk/index.js';
import { parseConfig } from '../sdk/parse-config.js';
import { childModule, runInChild } from '../sdk/run-in-child.js';
import { claimedFormat } from './claimed-format.js';
import type { ExtractionMessage, ExtractionRequest } from './child.js';
import { extractTextConfig, type ExtractTextConfig } from './config.js';
import type { DocumentMetadata, Extraction } from './extract.js';
import { extractShortText, shortTextBytes } from './short-text.js';

const module = childModule('child', import.meta.url);

/** What the messages may take besides the text: metadata, progress and the JSON around them. */
const overheadBytes = 4 * 1024 * 1024;

/** Reads the text of documents: PDF, office formats, EPUB, web pages and text files in any common encoding. */
export const extractText = definePlugin({
  id: 'extract-text',
  name: 'Extract text',
  version: '1.0.0',
  description:
    'Reads PDF, DOCX, PPTX, XLSX, ODT, EPUB, HTML, Markdown, CSV, JSON and plain text. ' +
    'Emits the text and what is known of the document: title, author, language, pages.',
  configSchema: extractTextConfig,
  defaultConfig: parseConfig(extractTextConfig, {}) as ExtractTextConfig,
  produces: ['text', 'metadata'],

  async run(ctx) {
    const { text, metadata } = (await readHere(ctx)) ?? (await readInChild(ctx));
    await ctx.emit({ type: 'text', content_type: 'text', content: text });
    await ctx.emit({ type: 'metadata', content_type: 'json', content: metadata });
  },
});

type Context = PluginContext<ExtractTextConfig>;

async function readHere({ resource, source, config }: Context): Promise<Extraction | null> {
  const { mediaType, sizeBytes } = source;
  if (sizeBytes === null || sizeBytes > shortTextBytes) return null;
  const { name } = resource;
  if (!['plain', 'markdown', undefined].includes(claimedFormat({ name, mediaType }))) return null;
  return await extractShortText(await source.buffer(), { name, mediaType }, config.max_output_bytes);
}

async function readInChild(ctx: Context): Promise<{ text: Readable; metadata: DocumentMetadata }> {
  const { config } = ctx;
  const request: ExtractionRequest = {
    name: ctx.resource.name,
    mediaType: ctx.source.mediaType,
    // An uploaded file is content; a page that is fetched has its site around it.
    mainContent:
      config.main_content === 'auto' && ctx.resource.source_type !== 'URL' ? 'never' : config.main_content,
    maxOutputBytes: config.max_output_bytes,
    maxUnpackedBytes: config.max_unpacked_bytes,
  };
  const pieces: string[] = [];
  let metadata: DocumentMetadata | undefined;
  await runInChild({
    module,
    request,
    preparation: claimedFormat(request) ?? '',
    input: () => ctx.source.stream(),
    limits: {
      memoryMb: config.max_memory_mb,
      timeoutSeconds: config.timeout_seconds,
      // In JSON, a line end, a quote or a backslash takes two bytes.
      outputBytes: 2 * config.max_output_bytes + overheadBytes,
    },
    signal: ctx.signal,
    subject: 'EXTRACTION',
    onMessage: (body) => {
      const message = body as ExtractionMessage;
      if ('text' in message) pieces.push(message.text);
      else if ('metadata' in message) metadata = message.metadata;
      else ctx.progress(message.progress, message.message);
    },
  });
  if (!metadata) throw new Error('The extraction ended without metadata');
  return { text: Readable.from(pieces), metadata };
}
