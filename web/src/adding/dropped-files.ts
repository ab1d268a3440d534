/**
 * Returns the dropped files, and those in dropped folders and their subfolders. Must be called synchronously in the
 * drop handler, since the entries are gone afterwards. Omits hidden files in folders, such as .DS_Store.
 */
export async function filesOf(transfer: DataTransfer): Promise<readonly File[]> {
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  // Items dragged from another program may have no entry.
  if (entries.length === 0) return [...transfer.files];
  return (await Promise.all(entries.map((entry) => filesIn(entry)))).flat();
}

async function filesIn(entry: FileSystemEntry): Promise<readonly File[]> {
  if (isFile(entry)) return [await new Promise<File>((resolve, reject) => entry.file(resolve, reject))];
  const children = (await childrenOf(entry as FileSystemDirectoryEntry)).filter(
    ({ name }) => !name.startsWith('.'),
  );
  return (await Promise.all(children.map((child) => filesIn(child)))).flat();
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;

/** A reader returns a hundred entries at a time, and an empty list at the end. */
async function childrenOf(folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
  const reader = folder.createReader();
  const children: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return children;
    children.push(...some);
  }
}
