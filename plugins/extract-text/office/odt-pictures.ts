import type { XmlElement } from './xml.js';

interface Frame {
  hasImage: boolean;
  /** The image of a formula only replaces it. */
  isFormula: boolean;
  title: string;
  desc: string;
}

/** Whether an element describes a picture or a table for readers who do not see it. */
export function isDescription({ name, prefix }: XmlElement): boolean {
  // `text:title` is a field that shows the title of the document.
  return (name === 'title' || name === 'desc') && prefix !== 'text';
}

/** Reads the alternative texts of pictures (OpenDocument 1.3 part 3, 10.4.17 and 10.4.18). */
export class OdtPictures {
  readonly #frames: Frame[] = [];
  #description: 'title' | 'desc' | null = null;

  open(element: XmlElement): void {
    const { name } = element;
    if (name === 'frame') this.#frames.push({ hasImage: false, isFormula: false, title: '', desc: '' });
    const frame = this.#frames.at(-1);
    if (!frame) return;
    if (name === 'image') frame.hasImage = true;
    else if (isDescription(element)) this.#description = name as 'title' | 'desc';
  }

  text(text: string): void {
    const frame = this.#frames.at(-1);
    if (frame && this.#description !== null) frame[this.#description] += text;
  }

  /** Says that the frame's object is written as a formula. */
  setFormula(): void {
    const frame = this.#frames.at(-1);
    if (frame) frame.isFormula = true;
  }

  /** Returns the alternative text of the picture that ends here: its description, or else its title. */
  close(name: string): string {
    if (name === this.#description) this.#description = null;
    const frame = name === 'frame' ? this.#frames.pop() : undefined;
    if (!frame?.hasImage || frame.isFormula) return '';
    return frame.desc.trim() === '' ? frame.title : frame.desc;
  }
}
