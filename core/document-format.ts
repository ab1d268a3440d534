/** The formats that can be read, and the media type each is reported as. */
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

/** Maps, since a name or a media type may be that of what every object has. */
const byExtension: ReadonlyMap<string, Format> = new Map([
  ['pdf', 'pdf'],
  ['docx', 'docx'],
  ['pptx', 'pptx'],
  ['xlsx', 'xlsx'],
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

/** What the media type says; where that says nothing more than "text" or "bytes", what the name says. */
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
  // A name that is nothing but an extension has none.
  const extension = /[^/]\.([^./]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  return byExtension.get(extension) ?? byType;
}
