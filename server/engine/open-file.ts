// Opens the file that a task refers to, plain or sealed. Knows nothing of its content.
import type { FileReference } from '../contract/engine/analysis-results.ts';
import { type ByteSource, fileSource } from '../vault/byte-source.ts';
import { openSealedFile } from '../vault/sealed-file.ts';

/**
 * @throws the file system's error, or SealedFileError, where the file cannot be opened
 */
export function openFile(reference: FileReference): ByteSource {
  if (reference.kind === 'plain') return fileSource(reference.path);
  return openSealedFile(reference.path, Buffer.from(reference.key, 'base64'));
}
