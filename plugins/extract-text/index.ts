import { Readable } from 'node:stream';
import { definePlugin, PluginFailure, type PluginContext } from '@knowledge-warehouse/plugin';
import { parseConfig } from '@knowledge-warehouse/plugin/host';
import { isReadHere, lightWeight, weightOf } from '../../core/documents/reading.js';
import { compiledModule } from '../../core/compiled-module.js';
import { runInChild } from '../host/run-in-child.js';
import type { ExtractionRequest, ExtractionResult } from './child.js';
import { extractTextConfig, type ExtractTextConfig } from './config.js';
import { notText, type DocumentMetadata, type Extraction } from './extract.js';
import { extractShortText } from './short-text.js';
import { textMetadata } from './text-metadata.js';

const module = compiledModule('child', import.meta.url);

/** The child processes that read documents, unless the config sets other limits. */
export const reading = {
  module,
  memoryMb: extractTextConfig.properties.max_memory_mb.default,
  timeoutSeconds: extractTextConfig.properties.timeout_seconds.default,
};

/** Maximum size of the messages besides the text: metadata with up to `mostPages` pages, progress and JSON syntax. */
const overheadBytes = 8 * 1024 * 1024;

/** Extracts the text of documents: PDF, office formats, EPUB, web pages and text files in any common encoding. */
export const extractText = definePlugin({
  id: 'extract-text',
  name: 'Extract text',
  version: '1.0.0',
  description:
    'Reads PDF, DOCX, PPTX, XLSX, ODT, EPUB, HTML, Markdown, CSV, JSON and plain text. ' +
    'Emits the text and metadata of the document: title, author, language, pages.',
  configSchema: extractTextConfig,
  defaultConfig: parseConfig(extractTextConfig, {}) as ExtractTextConfig,
  produces: ['text', 'metadata'],
  reads: [],

  async run(ctx) {
    const { text, metadata } = (await readHere(ctx)) ?? (await readInTurn(ctx));
    await ctx.emit({
      type: 'text',
      content_type: 'text',
      content: text,
      metadata: textMetadata(metadata.text_format, metadata.pages),
    });
    await ctx.emit({ type: 'metadata', content_type: 'json', content: metadata });
  },
});

type Context = PluginContext<ExtractTextConfig>;

async function readHere({ resource, source, config }: Context): Promise<Extraction | null> {
  const { mediaType, sizeBytes } = source;
  const { name } = resource;
  if (!isReadHere({ name, mediaType, sizeBytes })) return null;
  return await extractShortText(await source.buffer(), { name, mediaType }, config.max_output_bytes);
}

interface Read {
  readonly text: Readable;
  readonly metadata: DocumentMetadata;
}

/**
 * Lets a file that looks like a text of moderate size skip the queue for long tasks. If it is not a text, it waits
 * after all.
 */
async function readInTurn(ctx: Context): Promise<Read> {
  const { mediaType, sizeBytes } = ctx.source;
  const weight = weightOf({ name: ctx.resource.name, mediaType, sizeBytes });
  try {
    return await readInChild(ctx, weight);
  } catch (error) {
    if (!(error instanceof PluginFailure) || error.code !== notText) throw error;
    return await readInChild(ctx, Infinity);
  }
}

async function readInChild(ctx: Context, weight: number): Promise<Read> {
  const { config } = ctx;
  const request: ExtractionRequest = {
    name: ctx.resource.name,
    mediaType: ctx.source.mediaType,
    // An uploaded file is all content; a fetched page is surrounded by its site's navigation.
    mainContent:
      config.main_content === 'auto' && ctx.resource.source_type !== 'URL' ? 'never' : config.main_content,
    onlyText: weight <= lightWeight,
    maxOutputBytes: config.max_output_bytes,
    maxUnpackedBytes: config.max_unpacked_bytes,
  };
  const results = await runInChild({
    module,
    request,
    input: () => ctx.source.stream(),
    weight,
    limits: {
      memoryMb: config.max_memory_mb,
      timeoutSeconds: config.timeout_seconds,
      // In JSON, line ends, quotes and backslashes take two bytes.
      outputBytes: 2 * config.max_output_bytes + overheadBytes,
    },
    signal: ctx.signal,
    subject: 'EXTRACTION',
    onProgress: (fraction, message) => ctx.progress(fraction, message),
  });
  const pieces: string[] = [];
  let metadata: DocumentMetadata | undefined;
  for (const result of results as ExtractionResult[])
    if ('text' in result) pieces.push(result.text);
    else metadata = result.metadata;
  if (!metadata) throw new Error('The extraction ended without metadata');
  return { text: Readable.from(pieces), metadata };
}
