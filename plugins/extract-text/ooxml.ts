import { posix } from 'node:path';
import type { Archive } from './archive.js';
import type { Findings } from './document.js';
import { visitXml, xmlValues } from './xml.js';

export interface Relationship {
  /** The last word of the relationship's type, for example `slide`. */
  readonly kind: string;
  /** The name of the part in the archive. */
  readonly target: string;
}

/** The relationships of a part of an OOXML file (ECMA-376 part 2, 6.5), by id; none when it has no such file. */
export async function relationshipsOf(
  archive: Archive,
  part: string,
): Promise<ReadonlyMap<string, Relationship>> {
  const folder = posix.dirname(part);
  const file = posix.join(folder, '_rels', `${posix.basename(part)}.rels`);
  const relationships = new Map<string, Relationship>();
  if (!archive.has(file)) return relationships;
  await visitXml(await archive.stream(file), {
    open: ({ name, attributes }) => {
      const { Id: id, Target: target, Type: type = '', TargetMode: mode } = attributes;
      if (name !== 'Relationship' || !id || !target || mode === 'External') return;
      const kind = type.slice(type.lastIndexOf('/') + 1);
      relationships.set(id, { kind, target: posix.resolve('/', folder, target).slice(1) });
    },
  });
  return relationships;
}

/** What the document properties of an OOXML file tell. */
export async function officeProperties(archive: Archive): Promise<Partial<Findings>> {
  const core = archive.has('docProps/core.xml')
    ? await xmlValues(await archive.stream('docProps/core.xml'), [
        'title',
        'creator',
        'language',
        'created',
        'modified',
      ])
    : {};
  return {
    title: core.title,
    author: core.creator,
    language: core.language,
    createdAt: core.created,
    modifiedAt: core.modified,
  };
}

/** The number in docProps/app.xml that Office keeps under a name, such as `Pages`; null when there is none. */
export async function officeCount(archive: Archive, name: string): Promise<number | null> {
  if (!archive.has('docProps/app.xml')) return null;
  const count = Number((await xmlValues(await archive.stream('docProps/app.xml'), [name]))[name]);
  return Number.isSafeInteger(count) && count > 0 ? count : null;
}
