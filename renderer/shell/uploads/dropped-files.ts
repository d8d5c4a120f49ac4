// Turns what was dropped or picked into files, walking folders. Knows nothing of uploading.

export interface FoundFile {
  file: File;
  /** Path inside the dropped folder, else the file's name. */
  name: string;
}

export interface FileSink {
  onFiles: (files: FoundFile[]) => void;
  /** Files in a folder that are no archive. */
  onLeftAside: (count: number) => void;
}

/** A folder tree deeper than this is a loop of links or a joke. */
const maxDepth = 64;
const batchSize = 50;

const readFile = (entry: FileSystemFileEntry) => new Promise<File>((resolve, reject) => entry.file(resolve, reject));

const readBatch = (reader: FileSystemDirectoryReader) =>
  new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));

/**
 * Whether a file out of a folder is worth sending: samples often have no ending, so the first bytes decide. A file
 * dropped by itself is always sent, and the server says what is wrong with it.
 */
async function looksLikeArchive(file: File): Promise<boolean> {
  if (/\.(apk|xapk|apks|apkm)$/i.test(file.name)) return true;
  const head = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  return head[0] === 0x50 && head[1] === 0x4b;
}

/** A file that was found, not read yet. */
interface Candidate {
  name: string;
  /** It was not chosen by itself, but came with its folder. */
  isInFolder: boolean;
  read: () => Promise<File>;
}

async function* walk(entry: FileSystemEntry, depth: number): AsyncGenerator<Candidate> {
  if (entry.isFile) {
    const name = entry.fullPath.replace(/^\//, '');
    yield { name, isInFolder: true, read: () => readFile(entry as FileSystemFileEntry) };
    return;
  }
  if (depth >= maxDepth) return;
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  // A reader gives a hundred entries at a time, then none.
  for (;;) {
    const batch = await readBatch(reader);
    if (batch.length === 0) return;
    for (const child of batch) yield* walk(child, depth + 1);
  }
}

/** Collects files and hands them on in batches, so that the first uploads start while a large folder is still read. */
async function collect(source: AsyncIterable<Candidate> | Iterable<Candidate>, sink: FileSink): Promise<void> {
  let batch: FoundFile[] = [];
  let leftAside = 0;
  for await (const { name, isInFolder, read } of source) {
    try {
      const file = await read();
      if (!isInFolder || (await looksLikeArchive(file))) batch.push({ file, name });
      else leftAside += 1;
    } catch (error) {
      // A file that vanished or may not be read must not end the walk; it is counted.
      console.info('A file could not be read.', name, error);
      leftAside += 1;
    }
    if (batch.length >= batchSize) {
      sink.onFiles(batch);
      batch = [];
    }
  }
  if (batch.length > 0) sink.onFiles(batch);
  if (leftAside > 0) sink.onLeftAside(leftAside);
}

/** Reads a drop. Must be called within the event, since its items are gone afterwards. */
export function readDrop(transfer: DataTransfer, sink: FileSink): Promise<unknown> {
  const items = [...transfer.items].filter(({ kind }) => kind === 'file');
  const single: FoundFile[] = [];
  const folders: FileSystemEntry[] = [];
  for (const item of items) {
    const entry = item.webkitGetAsEntry();
    const file = item.getAsFile();
    if (entry?.isDirectory === true) folders.push(entry);
    else if (file !== null) single.push({ file, name: file.name });
  }
  if (single.length > 0) sink.onFiles(single);
  return Promise.all(folders.map((folder) => collect(walk(folder, 0), sink)));
}

/** Reads the files of an `<input type="file">`, a whole folder's too. */
export const readPicked = (files: readonly File[], sink: FileSink): Promise<void> =>
  collect(
    files.map((file) => ({
      name: file.webkitRelativePath || file.name,
      isInFolder: file.webkitRelativePath !== '',
      read: async () => file,
    })),
    sink,
  );
