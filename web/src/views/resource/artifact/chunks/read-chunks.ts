/** A chunk for display. Values that a plugin did not provide are null. */
export interface ShownChunk {
  readonly text: string;
  readonly start: number | null;
  readonly end: number | null;
  readonly tokens: number | null;
  readonly page_start: number | null;
  readonly page_end: number | null;
  readonly headings: readonly string[];
}

/** Reads the chunks of a `chunks` artifact; null for any other content. */
export function readChunks(type: string, content: unknown): readonly ShownChunk[] | null {
  if (type !== 'chunks') return null;
  const { chunks } = Object(content) as { readonly chunks?: unknown };
  if (!Array.isArray(chunks)) return null;
  const shown = chunks.map(readChunk);
  return shown.every((chunk) => chunk !== null) ? shown : null;
}

function readChunk(value: unknown): ShownChunk | null {
  const fields = Object(value) as Record<string, unknown>;
  const { text, headings } = fields;
  if (typeof text !== 'string') return null;
  const number = (name: string): number | null => (typeof fields[name] === 'number' ? fields[name] : null);
  return {
    text,
    start: number('start'),
    end: number('end'),
    tokens: number('tokens'),
    page_start: number('page_start'),
    page_end: number('page_end'),
    headings: Array.isArray(headings) ? headings.filter((heading) => typeof heading === 'string') : [],
  };
}
