import type { Readable } from 'node:stream';
import { SaxesParser } from 'saxes';

/** An element's start. Names are local names: documents are free in their prefixes. */
export interface XmlElement {
  readonly name: string;
  /** By local name; those of the namespace of OOXML relationships by `r:` and local name. */
  readonly attributes: Readonly<Record<string, string | undefined>>;
}

export interface XmlVisitor {
  open?(element: XmlElement): void;
  /** May be called several times for one run of characters. */
  text?(text: string): void;
  close?(name: string): void;
}

/** Documents nest a few dozen elements; namespaces are looked up through all that are open. */
const deepest = 1000;

/**
 * Reads XML as it streams, without keeping a tree. Entities that a document declares itself are never expanded.
 * Throws an Error when the XML is not well-formed or nested too deeply.
 */
export async function visitXml(stream: Readable, visitor: XmlVisitor): Promise<void> {
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  let depth = 0;
  parser.on('opentag', ({ local, attributes }) => {
    if (++depth > deepest) throw new Error('The XML is nested too deeply');
    const named: Record<string, string> = {};
    for (const attribute of Object.values(attributes)) {
      const prefix = attribute.uri.endsWith('/relationships') ? 'r:' : '';
      named[prefix + attribute.local] ??= attribute.value;
    }
    visitor.open?.({ name: local, attributes: named });
  });
  parser.on('text', (text) => visitor.text?.(text));
  parser.on('cdata', (text) => visitor.text?.(text));
  parser.on('closetag', ({ local }) => {
    depth--;
    visitor.close?.(local);
  });
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  for await (const data of stream as AsyncIterable<Buffer>) {
    decoder ??= new TextDecoder(encodingOf(data));
    parser.write(decoder.decode(data, { stream: true }));
  }
  parser.close();
}

function encodingOf(start: Buffer): string {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be';
  return 'utf-8';
}

/** The text of each element of the given local names: of one name, the first that is not blank. */
export async function xmlValues<Name extends string>(
  stream: Readable,
  names: readonly Name[],
): Promise<Partial<Record<Name, string>>> {
  const values: Partial<Record<Name, string>> = {};
  let current: Name | undefined;
  let value = '';
  await visitXml(stream, {
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
