import type { Resource } from '@knowledge-warehouse/client';

/** A way in which the page shows an original. */
export type OriginalKind = 'pdf' | 'image' | 'text';

const images = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/bmp'];
const texts =
  /^(text\/|application\/(json|xml|yaml|x-yaml|x-ndjson|jsonl|toml|javascript)$|[a-z]+\/[\w.-]+\+(json|xml)$)/;

/** How the page shows the original of a resource; null: it is only downloaded. Pictures that are documents are texts. */
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
