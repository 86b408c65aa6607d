/** A file with the folder that it came in. */
export interface DroppedFile {
  readonly file: File;
  /** With slashes; null for a file that came alone. */
  readonly folder: string | null;
  /** Id of the document that it takes the place of. */
  readonly replaces?: string;
}

/** Most files that are taken at once: beyond it a list of them helps nobody. */
export const MAX_FILES = 10_000;

/** What systems leave in folders, which nobody means to give. */
const isLeftBySystem = (name: string) => name.startsWith('.') || /^(thumbs\.db|desktop\.ini|~\$.*)$/i.test(name);

const readAll = (reader: FileSystemDirectoryReader) =>
  new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
const fileOf = (entry: FileSystemFileEntry) => new Promise<File>((resolve, reject) => entry.file(resolve, reject));

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isDirectory = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

/** The entries of what was dropped; they must be asked for while the event is handled. */
export const entriesOf = ({ items }: DataTransfer): FileSystemEntry[] =>
  Array.from(items, (item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);

/** All files of dropped entries, with those in folders and in folders of those; at most one more than may be taken. */
export async function filesOf(entries: readonly FileSystemEntry[]): Promise<DroppedFile[]> {
  const found: DroppedFile[] = [];
  const open = entries.map((entry) => ({ entry, folder: null as string | null }));
  for (let next = open.shift(); next !== undefined && found.length <= MAX_FILES; next = open.shift()) {
    const { entry, folder } = next;
    // A file that was given alone is meant, whatever its name.
    if (folder !== null && isLeftBySystem(entry.name)) continue;
    if (isFile(entry)) found.push({ file: await fileOf(entry), folder });
    if (!isDirectory(entry)) continue;
    const inner = folder === null ? entry.name : `${folder}/${entry.name}`;
    const reader = entry.createReader();
    // A reader gives a hundred at a time.
    for (let part = await readAll(reader); part.length > 0; part = await readAll(reader))
      open.push(...part.map((one) => ({ entry: one, folder: inner })));
  }
  return found;
}

/** Files that were chosen, of a folder or alone. */
export const chosenFiles = (files: Iterable<File>): DroppedFile[] =>
  Array.from(files, (file) => {
    const folder = file.webkitRelativePath.split('/').slice(0, -1).join('/');
    return { file, folder: folder === '' ? null : folder };
  }).filter(({ file, folder }) => folder === null || !isLeftBySystem(file.name));
