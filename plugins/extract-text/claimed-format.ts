import { extname } from 'node:path';
import { mediaTypes, type Format, type SourceDocument } from './document.js';

const byExtension: Readonly<Record<string, Format>> = {
  '.pdf': 'pdf',
  '.docx': 'docx',
  '.pptx': 'pptx',
  '.xlsx': 'xlsx',
  '.odt': 'odt',
  '.epub': 'epub',
  '.html': 'html',
  '.htm': 'html',
  '.xhtml': 'html',
  '.md': 'markdown',
  '.markdown': 'markdown',
  '.csv': 'csv',
  '.tsv': 'csv',
  '.json': 'json',
  '.geojson': 'json',
};

const byMediaType: Readonly<Record<string, Format>> = {
  ...Object.fromEntries(Object.entries(mediaTypes).map(([format, type]) => [type, format as Format])),
  'application/xhtml+xml': 'html',
  'text/x-markdown': 'markdown',
  'text/tab-separated-values': 'csv',
  'application/csv': 'csv',
  'text/json': 'json',
};

/** What the media type says; where that says nothing more than "text" or "bytes", what the name says. */
export function claimedFormat({
  mediaType,
  name,
}: Pick<SourceDocument, 'mediaType' | 'name'>): Format | undefined {
  const type = mediaType?.split(';')[0]?.trim().toLowerCase() ?? '';
  const byType = byMediaType[type];
  if (byType && byType !== 'plain') return byType;
  return byExtension[extname(name).toLowerCase()] ?? byType;
}
