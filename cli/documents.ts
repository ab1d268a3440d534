import { isNode, LineCounter, parseAllDocuments, visit, type Alias, type Document } from 'yaml';

import { CommandError } from './exit.js';
import { inputName, readInput } from './input.js';

/** A document of a YAML or JSON file, and the locations of its parts in that file. */
export interface SourceDocument {
  readonly value: unknown;
  /** The location of a part as file:line and JSON Pointer. If the part is missing, its nearest ancestor. */
  readonly at: (pointer: string) => string;
}

/**
 * Reads the documents of a file, or of standard input for `-`: YAML (a superset of JSON), separated by `---`;
 * each item of an array is a document.
 *
 * @throws CommandError with the file, and the line if known, of invalid YAML
 */
export async function readDocuments(path: string): Promise<readonly SourceDocument[]> {
  const name = inputName(path);
  const text = await readInput(path);
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter: lines, prettyErrors: false });
  const found: SourceDocument[] = [];
  for (const document of documents as Document[]) {
    const [problem] = document.errors;
    if (problem !== undefined) {
      const { line, col } = lines.linePos(problem.pos[0]);
      throw new CommandError(`${name}:${line}:${col}: ${problem.message}`);
    }
    found.push(...partsOf(name, document, lines));
  }
  if (found.length === 0) throw new CommandError(`${name} is empty.`);
  return found;
}

/** Reads a file with one document. Throws CommandError if it contains more. */
export async function readDocument(path: string): Promise<SourceDocument> {
  const [document, ...others] = await readDocuments(path);
  if (document === undefined || others.length > 0)
    throw new CommandError(`${path} must contain one document.`);
  return document;
}

function partsOf(name: string, document: Document, lines: LineCounter): SourceDocument[] {
  const value = valueOf(name, document, lines);
  if (value === null || value === undefined) return [];
  const at =
    (prefix: readonly string[]) =>
    (pointer: string): string => {
      const path = [...prefix, ...keysOf(pointer)];
      const line = lineOf(document, path, lines);
      return `${name}${line === null ? '' : `:${line}`}${pointer === '' ? '' : `: ${pointer}`}`;
    };
  if (!Array.isArray(value)) return [{ value, at: at([]) }];
  return value.map((item: unknown, index) => ({ value: item, at: at([String(index)]) }));
}

/** Throws CommandError for what YAML permits and JSON cannot express, such as aliases that multiply the document. */
function valueOf(name: string, document: Document, lines: LineCounter): unknown {
  try {
    const value: unknown = document.toJS();
    if (isCircular(value)) throw new Error('A value contains itself.');
    return value;
  } catch (error) {
    const { message } = error as Error;
    let alias: Alias | undefined;
    visit(document, {
      Alias(_, node) {
        if (!message.endsWith(`: ${node.source}`)) return undefined;
        alias = node;
        return visit.BREAK;
      },
    });
    const line = alias?.range ? `:${lines.linePos(alias.range[0]).line}` : '';
    throw new CommandError(`${name}${line}: ${message}`);
  }
}

function isCircular(value: unknown): boolean {
  try {
    JSON.stringify(value);
    return false;
  } catch {
    return true;
  }
}

/** Returns the line of the deepest existing part of a path. */
function lineOf(document: Document, path: readonly string[], lines: LineCounter): number | null {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length).map(toKey), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return null;
}

const toKey = (key: string): string | number => (/^\d+$/.test(key) ? Number(key) : key);

/** The keys of a JSON Pointer (RFC 6901). */
const keysOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((key) => key.replace(/~1/g, '/').replace(/~0/g, '~'));
