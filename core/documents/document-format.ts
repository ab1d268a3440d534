/** The supported formats and the media type that each is reported as. */
export const mediaTypes = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  odt: 'application/vnd.oasis.opendocument.text',
  epub: 'application/epub+zip',
  html: 'text/html',
  markdown: 'text/markdown',
  csv: 'text/csv',
  json: 'application/json',
  plain: 'text/plain',
} as const;

export type Format = keyof typeof mediaTypes;

/** Maps rather than objects: a name or media type may equal a property of Object.prototype. */
const byExtension: ReadonlyMap<string, Format> = new Map([
  ['pdf', 'pdf'],
  ['docx', 'docx'],
  ['pptx', 'pptx'],
  ['xlsx', 'xlsx'],
  // Programs that export HTML tables for Excel choose this name.
  ['xls', 'xlsx'],
  ['odt', 'odt'],
  ['epub', 'epub'],
  ['html', 'html'],
  ['htm', 'html'],
  ['xhtml', 'html'],
  ['md', 'markdown'],
  ['markdown', 'markdown'],
  ['csv', 'csv'],
  ['tsv', 'csv'],
  ['json', 'json'],
  ['geojson', 'json'],
]);

const byMediaType: ReadonlyMap<string, Format> = new Map([
  ...Object.entries(mediaTypes).map(([format, type]) => [type, format as Format] as const),
  ['application/xhtml+xml', 'html'],
  ['text/x-markdown', 'markdown'],
  ['text/tab-separated-values', 'csv'],
  ['application/csv', 'csv'],
  ['text/json', 'json'],
]);

/** The format that the media type claims. If it only says "text" or "bytes", the name decides. */
export function claimedFormat({
  mediaType,
  name,
}: {
  readonly mediaType: string | null;
  readonly name: string;
}): Format | undefined {
  const type = mediaType?.split(';')[0]?.trim().toLowerCase() ?? '';
  const byType = byMediaType.get(type);
  if (byType && byType !== 'plain') return byType;
  // A name that consists of an extension only has no extension.
  const extension = /[^/]\.([^./]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  return byExtension.get(extension) ?? byType;
}
