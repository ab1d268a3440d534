import type { Archive } from './archive.js';
import { visitTexts } from './ooxml.js';

export interface Comment {
  readonly text: string;
  /** The cell that it belongs to, in a sheet; otherwise empty. */
  readonly cell: string;
}

/** A comment in each format: Word and Excel, PowerPoint, Excel's threads, and PowerPoint's replies. */
const comments = ['comment', 'cm', 'threadedComment', 'reply'];

/** Returns the comments in a part of an OOXML file, in file order (ECMA-376 part 1, 17.13.4, 18.7 and 19.4). */
export async function readComments(archive: Archive, part: string): Promise<readonly Comment[]> {
  const found: Comment[] = [];
  await visitTexts(archive, part, { of: comments, apart: ['p', 'br'] }, (raw, { ref: cell = '' }) => {
    const text = raw.replace(/\s+/g, ' ').trim();
    if (text !== '') found.push({ text, cell });
  });
  return found;
}
