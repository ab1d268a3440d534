import { Readable } from 'node:stream';
import { definePlugin, PluginFailure, type PluginContext } from '../sdk/index.js';
import { parseConfig } from '../sdk/parse-config.js';
import { childModule, lightWeight, runInChild } from '../sdk/run-in-child.js';
import { claimedFormat } from './claimed-format.js';
import type { ExtractionMessage, ExtractionRequest } from './child.js';
import { extractTextConfig, type ExtractTextConfig } from './config.js';
import { isText } from './detect.js';
import type { Format } from './document.js';
import { notText, type DocumentMetadata, type Extraction } from './extract.js';
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
    const { text, metadata } = (await readHere(ctx)) ?? (await readInTurn(ctx));
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

interface Read {
  readonly text: Readable;
  readonly metadata: DocumentMetadata;
}

/** Has what looks like a text of moderate size not wait for what may take long; it does after all where it is none. */
async function readInTurn(ctx: Context): Promise<Read> {
  const weight = weightOf(ctx);
  try {
    return await readInChild(ctx, weight);
  } catch (error) {
    if (!(error instanceof PluginFailure) || error.code !== notText) throw error;
    return await readInChild(ctx, Infinity);
  }
}

/** How many times as long as a plain text of its size the texts of other formats take, at worst. */
const weights: Partial<Record<Format, number>> = { html: 8, json: 8, csv: 4 };

function weightOf({ resource: { name }, source: { mediaType, sizeBytes } }: Context): number {
  const format = claimedFormat({ name, mediaType }) ?? 'plain';
  if (sizeBytes === null || !isText(format)) return Infinity;
  return sizeBytes * (weights[format] ?? 1);
}

async function readInChild(ctx: Context, weight: number): Promise<Read> {
  const { config } = ctx;
  const request: ExtractionRequest = {
    name: ctx.resource.name,
    mediaType: ctx.source.mediaType,
    // An uploaded file is content; a page that is fetched has its site around it.
    mainContent:
      config.main_content === 'auto' && ctx.resource.source_type !== 'URL' ? 'never' : config.main_content,
    onlyText: weight <= lightWeight,
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
    weight,
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
