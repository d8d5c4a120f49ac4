// Imports and what they refused, in the shape that is sent.
import type { Import } from '../../contract/workstation/import.ts';
import type { ImportView } from '../../services/collections/imports.ts';
import { type Presenting, timestamp } from './presenting.ts';

/** Seconds in which the rate of an import tells nothing yet. */
const earliestRate = 1;

export function presentImport({ ids }: Presenting, { record, refused, pace }: ImportView): Import {
  const { fileCount, byteCount, doneFiles, endedAt } = record;
  const doneBytes = Math.round(record.doneBytes + (pace?.bytesUnderWay ?? 0));
  const isTelling = pace !== null && pace.seconds >= earliestRate && pace.bytesPerSecond > 0;
  return {
    id: ids.encode('import', record.id),
    path: record.path,
    tags: record.tags,
    has_folder_tags: record.hasFolderTags,
    state: record.state,
    problem: record.problem,
    file_count: fileCount,
    byte_count: byteCount,
    done_files: doneFiles,
    done_bytes: doneBytes,
    added_count: record.added,
    held_count: record.held,
    refused_count: refused,
    bytes_per_second: isTelling ? pace.bytesPerSecond : null,
    files_per_second: isTelling ? pace.filesPerSecond : null,
    seconds_left:
      isTelling && byteCount !== null ? Math.ceil(Math.max(0, byteCount - doneBytes) / pace.bytesPerSecond) : null,
    created_at: timestamp(record.createdAt),
    ended_at: endedAt === null ? null : timestamp(endedAt),
  };
}
