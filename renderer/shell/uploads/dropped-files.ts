// Turns what was dropped or picked into files, walking folders. Knows nothing of uploading.

export interface FoundFile {
  file: File;
  /** Path inside the dropped folder, else the file's name. */
  name: string;
}

interface FileSink {
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

async function* walk(entry: FileSystemEntry, depth: number): AsyncGenerator<FileSystemFileEntry> {
  if (entry.isFile) {
    yield entry as FileSystemFileEntry;
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
async function collect(source: AsyncIterable<FileSystemFileEntry>, sink: FileSink): Promise<void> {
  let batch: FoundFile[] = [];
  let leftAside = 0;
  for await (const entry of source) {
    try {
      const file = await readFile(entry);
      if (await looksLikeArchive(file)) batch.push({ file, name: entry.fullPath.replace(/^\//, '') });
      else leftAside += 1;
    } catch (error) {
      // A file that vanished or may not be read must not end the walk; it is counted.
      console.info('A file could not be read.', entry.fullPath, error);
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

/**
 * Reads a drop. Must be called within the event, since its items are gone afterwards.
 */
export function readDrop(transfer: DataTransfer, sink: FileSink): Promise<unknown> {
  const entries = [...transfer.items]
    .filter((item) => item.kind === 'file')
    .map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  const single: FoundFile[] = [];
  const folders: FileSystemEntry[] = [];
  for (const { entry, file } of entries) {
    if (entry?.isDirectory === true) folders.push(entry);
    else if (file !== null) single.push({ file, name: file.name });
  }
  if (single.length > 0) sink.onFiles(single);
  return Promise.all(folders.map((folder) => collect(walk(folder, 0), sink)));
}

/** Reads the files of an `<input type="file">`, a whole folder's too. */
export async function readPicked(files: Iterable<File>, sink: FileSink): Promise<void> {
  let batch: FoundFile[] = [];
  let leftAside = 0;
  for (const file of files) {
    const path = file.webkitRelativePath;
    if (path === '' || (await looksLikeArchive(file))) batch.push({ file, name: path === '' ? file.name : path });
    else leftAside += 1;
    if (batch.length >= batchSize) {
      sink.onFiles(batch);
      batch = [];
    }
  }
  if (batch.length > 0) sink.onFiles(batch);
  if (leftAside > 0) sink.onLeftAside(leftAside);
}
