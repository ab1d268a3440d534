import { posix } from 'node:path';
import type { Archive } from './archive.js';
import type { DocumentProperties } from '../document.js';
import { visitXml, xmlValues, type XmlElement } from './xml.js';

export interface Relationship {
  /** The last word of the relationship's type, for example `slide`. */
  readonly kind: string;
  /** The name of the part in the archive. */
  readonly target: string;
}

interface AnyRelationship extends Relationship {
  readonly id: string;
  /** The target as written; an address if it is not a part. */
  readonly link: string;
  readonly isExternal: boolean;
}

/**
 * Returns the parts that a part of an OOXML file refers to (ECMA-376 part 2, 6.5), by id; empty without a relationships
 * file.
 */
export async function relationshipsOf(
  archive: Archive,
  part: string,
): Promise<ReadonlyMap<string, Relationship>> {
  const all = await readRelationships(archive, part);
  return new Map(
    all.filter(({ isExternal }) => !isExternal).map((relationship) => [relationship.id, relationship]),
  );
}

/** Returns all targets that a part refers to, as written, by id. */
export async function linksOf(archive: Archive, part: string): Promise<ReadonlyMap<string, string>> {
  const all = await readRelationships(archive, part);
  return new Map(all.map(({ id, link }) => [id, link]));
}

async function readRelationships(archive: Archive, part: string): Promise<readonly AnyRelationship[]> {
  const folder = posix.dirname(part);
  const file = posix.join(folder, '_rels', `${posix.basename(part)}.rels`);
  const relationships: AnyRelationship[] = [];
  if (!archive.has(file)) return relationships;
  await visitXml(await archive.pieces(file), {
    open: ({ name, attributes }) => {
      const { Id: id, Target: link, Type: type = '', TargetMode: mode } = attributes;
      if (name !== 'Relationship' || !id || !link) return;
      const kind = type.slice(type.lastIndexOf('/') + 1);
      const path = posix.resolve('/', folder, link).slice(1);
      const target = archive.find(path) ?? path;
      relationships.push({ id, kind, target, link, isExternal: mode === 'External' });
    },
  });
  return relationships;
}

/**
 * Finds the parts related to the main one, by kind. Files may omit the relationships and use the default names, such as
 * `styles.xml` beside the main part.
 */
export async function relatedParts(archive: Archive, main: string): Promise<(kind: string) => string> {
  const relationships = [...(await relationshipsOf(archive, main)).values()];
  return (kind) =>
    relationships.find((part) => part.kind === kind && archive.has(part.target))?.target ??
    posix.join(posix.dirname(main), `${kind}.xml`);
}

export async function officeProperties(archive: Archive): Promise<Partial<DocumentProperties>> {
  if (!archive.has('docProps/core.xml')) return {};
  const names = ['title', 'creator', 'language', 'created', 'modified'] as const;
  const core = await xmlValues(await archive.pieces('docProps/core.xml'), names);
  return {
    title: core.title,
    author: core.creator,
    language: core.language,
    createdAt: core.created,
    modifiedAt: core.modified,
  };
}

/** Returns a number from docProps/app.xml by its name, such as `Pages`; null if it is missing. */
export async function officeCount(archive: Archive, name: string): Promise<number | null> {
  if (!archive.has('docProps/app.xml')) return null;
  const count = Number((await xmlValues(await archive.pieces('docProps/app.xml'), [name]))[name]);
  return Number.isSafeInteger(count) && count > 0 ? count : null;
}

/** Returns the alternative text that the properties of a picture contain: its description, or else its title. */
export function alternativeText({ descr, title }: XmlElement['attributes']): string {
  return (descr?.trim() ? descr : title) ?? '';
}

/** The elements of runs. `text` of Excel's comments contains runs `t`; elsewhere it is the run. */
const runs = new Set(['t', 'text']);

/**
 * Calls `onText` with the text and the attributes of each element with one of the names `of`. Leaves out phonetic guides
 * (`rPh`). An element with one of the names `apart` counts as a space.
 */
export async function visitTexts(
  archive: Archive,
  part: string,
  { of, apart = [] }: { readonly of: readonly string[]; readonly apart?: readonly string[] },
  onText: (text: string, attributes: XmlElement['attributes']) => void,
): Promise<void> {
  let text = '';
  let given: XmlElement['attributes'] = {};
  let inRun = false;
  let phonetic = false;
  await visitXml(await archive.pieces(part), {
    open: ({ name, attributes }) => {
      if (of.includes(name)) [text, given] = ['', attributes];
      else if (name === 'rPh') phonetic = true;
      else if (runs.has(name)) inRun = !phonetic;
      else if (apart.includes(name)) text += ' ';
    },
    text: (run) => {
      if (inRun) text += run;
    },
    close: (name) => {
      if (runs.has(name)) inRun = false;
      else if (name === 'rPh') phonetic = false;
      else if (of.includes(name)) {
        onText(text, given);
        text = '';
      }
    },
  });
}
