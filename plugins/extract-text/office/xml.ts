import { SaxesParser } from 'saxes';
import type { Pieces } from './archive.js';

/** An element's start. Names are local names, since documents may choose any prefix. */
export interface XmlElement {
  readonly name: string;
  /** Only for names that mean different things: documents of one format all tend to have the same prefixes. */
  readonly prefix: string;
  /** By local name; attributes in the namespace of OOXML relationships by `r:` and local name. */
  readonly attributes: Readonly<Record<string, string | undefined>>;
}

export interface XmlVisitor {
  open?(element: XmlElement): void;
  /** May be called several times for one run of characters. */
  text?(text: string): void;
  close?(name: string): void;
}

/** Real documents nest a few dozen elements. Visitors may recurse once per level. */
const deepest = 1000;

/**
 * Parses XML as a stream without building a tree. Never expands entities that a document declares itself. Throws an
 * Error if the XML is not well-formed or nested too deeply.
 */
export async function visitXml(pieces: Pieces, visitor: XmlVisitor): Promise<void> {
  // Resolving namespaces would take half of the time, and only one of them is needed, for attributes.
  const parser = new SaxesParser({ xmlns: false });
  const names = new AttributeNames();
  parser.on('error', (error) => {
    throw error;
  });
  let depth = 0;
  parser.on('opentag', ({ name, attributes }) => {
    if (++depth > deepest) throw new Error('The XML is nested too deeply');
    const prefix = name.slice(0, Math.max(0, name.indexOf(':')));
    visitor.open?.({ name: localName(name), prefix, attributes: names.byLocalName(attributes) });
  });
  parser.on('text', (text) => visitor.text?.(text));
  parser.on('cdata', (text) => visitor.text?.(text));
  parser.on('closetag', ({ name }) => {
    depth--;
    visitor.close?.(localName(name));
  });
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  for await (const data of pieces) {
    decoder ??= new TextDecoder(encodingOf(data));
    parser.write(decoder.decode(data, { stream: true }));
  }
  parser.close();
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

class AttributeNames {
  /** The prefixes bound to the namespace of OOXML relationships. */
  readonly #relationships = new Set<string>();

  byLocalName(attributes: Readonly<Record<string, string>>): Readonly<Record<string, string | undefined>> {
    const named: Record<string, string | undefined> = {};
    for (const name in attributes) {
      if (!name.startsWith('xmlns:')) continue;
      if (attributes[name]?.endsWith('/relationships')) this.#relationships.add(name.slice(6));
      else this.#relationships.delete(name.slice(6));
    }
    for (const name in attributes) {
      if (name.startsWith('xmlns:')) continue;
      const colon = name.indexOf(':');
      const local = colon < 0 ? name : name.slice(colon + 1);
      named[colon > 0 && this.#relationships.has(name.slice(0, colon)) ? `r:${local}` : local] ??=
        attributes[name];
    }
    return named;
  }
}

function encodingOf(start: Buffer): string {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be';
  return 'utf-8';
}

/** Reads the value of an attribute of one to nine digits; undefined for any other value. */
export function numberOf(value: string | undefined): number | undefined {
  return /^\d{1,9}$/.test(value ?? '') ? Number(value) : undefined;
}

/** Returns the text of each element with one of the given local names: the first that is not blank. */
export async function xmlValues<Name extends string>(
  pieces: Pieces,
  names: readonly Name[],
): Promise<Partial<Record<Name, string>>> {
  const values: Partial<Record<Name, string>> = {};
  let current: Name | undefined;
  let value = '';
  await visitXml(pieces, {
    open: ({ name }) => {
      current = names.find((wanted) => wanted === name);
      value = '';
    },
    text: (text) => (value += text),
    close: (name) => {
      if (current === name && value.trim() !== '') values[current] ??= value.trim();
      current = undefined;
    },
  });
  return values;
}
