import type { Resource } from '@knowledge-warehouse/client';

/** How the page shows an original. */
export type OriginalKind = 'pdf' | 'image' | 'text';

const images = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/bmp'];
const texts =
  /^(text\/|application\/(json|xml|yaml|x-yaml|x-ndjson|jsonl|toml|javascript)$|[a-z]+\/[\w.-]+\+(json|xml)$)/;

/**
 * Returns how to show the original of a resource; null: only as a download. Images that are documents, such as SVG, are
 * texts.
 */
export function originalKind({
  media_type,
  sha256,
}: Pick<Resource, 'media_type' | 'sha256'>): OriginalKind | null {
  const type = media_type?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (sha256 === null) return null;
  if (type === 'application/pdf') return 'pdf';
  if (images.includes(type)) return 'image';
  return texts.test(type) ? 'text' : null;
}
