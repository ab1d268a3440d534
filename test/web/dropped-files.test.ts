import assert from 'node:assert/strict';
import {
  filesOf,
  type Entry,
  type FileEntry,
  type FolderEntry,
  type Transfer,
} from '../../web/src/adding/dropped-files.js';

const refusal = new Error('The permission was denied.');

const file = (name: string): FileEntry => ({
  name,
  isFile: true,
  file: (resolve) => resolve(new File([], name)),
});

const unreadable = (name: string): FileEntry => ({
  name,
  isFile: true,
  file: (_resolve, reject) => reject(refusal),
});

/** A folder that returns a hundred entries at a time, as browsers do. Null: it cannot be read. */
const folder = (name: string, entries: readonly Entry[] | null): FolderEntry => ({
  name,
  isFile: false,
  createReader() {
    let at = 0;
    return {
      readEntries(resolve, reject) {
        if (entries === null) reject(refusal);
        else resolve(entries.slice(at, (at += 100)));
      },
    };
  },
});

/** Dropped items. A null is an item without an entry, such as text. */
const transfer = (entries: readonly (Entry | null)[], files: readonly File[] = []): Transfer => ({
  items: entries.map((entry) => ({ webkitGetAsEntry: () => entry })),
  files,
});

const names = (files: readonly File[]): readonly string[] => files.map(({ name }) => name);

const numbered = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${index}.txt`);

describe('dropped files and folders', () => {
  it('are read with all subfolders, except hidden files in them', async () => {
    const inner = folder('inner', [file('c.txt'), file('.DS_Store'), folder('empty', [])]);
    const outer = folder('outer', [file('b.txt'), inner, folder('.git', [file('HEAD')])]);
    const dropped = await filesOf(transfer([file('.env'), null, outer, file('d.txt')]));
    assert.deepEqual(names(dropped.files), ['.env', 'b.txt', 'c.txt', 'd.txt']);
    assert.deepEqual(dropped.unreadable, []);
  });

  it('are read completely if a folder has more entries than browsers return at a time', async () => {
    for (const count of [99, 100, 101, 250]) {
      const { files } = await filesOf(transfer([folder('many', numbered(count).map(file))]));
      assert.deepEqual(names(files), numbered(count));
    }
  });

  it('are read although some of them cannot be, whose names are returned', async () => {
    const inner = folder('inner', [unreadable('locked.txt'), file('b.txt'), folder('private', null)]);
    const dropped = await filesOf(transfer([file('a.txt'), inner, unreadable('gone.txt')]));
    assert.deepEqual(names(dropped.files), ['a.txt', 'b.txt']);
    assert.deepEqual(dropped.unreadable, ['locked.txt', 'private', 'gone.txt']);
  });

  it('are read if the program they come from provides no entries', async () => {
    const { files } = await filesOf(transfer([null], [new File([], 'a.txt')]));
    assert.deepEqual(names(files), ['a.txt']);
  });
});
