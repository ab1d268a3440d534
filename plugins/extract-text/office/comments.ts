import type { Archive } from './archive.js';
import { visitXml } from './xml.js';

export interface Comment {
  readonly text: string;
  /** The cell that it belongs to, in a sheet; otherwise empty. */
  readonly cell: string;
}

/** A comment in each format: Word and Excel, PowerPoint, Excel's threads, and PowerPoint's replies. */
const comments = new Set(['comment', 'cm', 'threadedComment', 'reply']);

/** Returns the comments in a part of an OOXML file, in file order (ECMA-376 part 1, 17.13.4, 18.7 and 19.4). */
export async function readComments(archive: Archive, part: string): Promise<readonly Comment[]> {
  const found: Comment[] = [];
  let text = '';
  let cell = '';
  let phonetic = false;
  let inText = false;
  await visitXml(await archive.pieces(part), {
    open: ({ name, attributes }) => {
      if (comments.has(name)) [text, cell] = ['', attributes['ref'] ?? ''];
      else if (name === 'rPh') phonetic = true;
      else if (name === 't' || name === 'text') inText = !phonetic;
      else if (name === 'p' || name === 'br') text += ' ';
    },
    text: (run) => {
      if (inText) text += run;
    },
    close: (name) => {
      if (name === 't' || name === 'text') inText = false;
      else if (name === 'rPh') phonetic = false;
      else if (comments.has(name)) {
        text = text.replace(/\s+/g, ' ').trim();
        if (text !== '') found.push({ text, cell });
        text = '';
      }
    },
  });
  return found;
}
