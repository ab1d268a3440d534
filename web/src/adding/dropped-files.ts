/** The parts of the browser's DataTransfer and FileSystemEntry that are used here. */
export interface Transfer {
  readonly items: Iterable<{ webkitGetAsEntry(): Entry | null }>;
  readonly files: Iterable<File>;
}

export interface Entry {
  readonly name: string;
  readonly isFile: boolean;
}

export interface FileEntry extends Entry {
  file(resolve: (file: File) => void, reject: (error: Error) => void): void;
}

export interface FolderEntry extends Entry {
  createReader(): {
    readEntries(resolve: (some: readonly Entry[]) => void, reject: (error: Error) => void): void;
  };
}

export interface DroppedFiles {
  readonly files: readonly File[];
  /** The names of files and folders that could not be read. */
  readonly unreadable: readonly string[];
}

/**
 * Returns the dropped files, and those in dropped folders and their subfolders. Must be called synchronously in the
 * drop handler, since the entries are gone afterwards. Omits hidden files in folders, such as .DS_Store.
 */
export async function filesOf(transfer: Transfer): Promise<DroppedFiles> {
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  // Items dragged from another program may have no entry.
  if (entries.length === 0) return { files: [...transfer.files], unreadable: [] };
  return await filesOfAll(entries);
}

async function filesOfAll(entries: readonly Entry[]): Promise<DroppedFiles> {
  const all = await Promise.all(
    entries.map((entry) => filesIn(entry).catch(() => ({ files: [], unreadable: [entry.name] }))),
  );
  return {
    files: all.flatMap(({ files }) => files),
    unreadable: all.flatMap(({ unreadable }) => unreadable),
  };
}

async function filesIn(entry: Entry): Promise<DroppedFiles> {
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    return { files: [file], unreadable: [] };
  }
  const children = await childrenOf(entry as FolderEntry);
  return await filesOfAll(children.filter(({ name }) => !name.startsWith('.')));
}

const isFile = (entry: Entry): entry is FileEntry => entry.isFile;

/** A reader returns a hundred entries at a time, and an empty list at the end. */
async function childrenOf(folder: FolderEntry): Promise<readonly Entry[]> {
  const reader = folder.createReader();
  const children: Entry[] = [];
  for (;;) {
    const some = await new Promise<readonly Entry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return children;
    children.push(...some);
  }
}
