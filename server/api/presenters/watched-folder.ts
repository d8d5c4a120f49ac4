// Watched folders and their files, in the shape that is sent.
import type { WatchedFile, WatchedFolder } from '../../contract/workstation/watched-folder.ts';
import type { WatchedFileRecord, WatchedFolderView } from '../../services/collections/watched-folders.ts';
import { type Presenting, timestamp } from './presenting.ts';

export function presentWatchedFolder(
  { ids }: Presenting,
  { folder, rulesets, watch, counts }: WatchedFolderView,
): WatchedFolder {
  return {
    id: ids.encode('watched-folder', folder.id),
    path: folder.path,
    tags: folder.tags,
    has_folder_tags: folder.hasFolderTags,
    rulesets: rulesets.map((id) => ids.encode('ruleset', id)),
    match_tags: folder.matchTags,
    priority: folder.priority,
    outcome: folder.outcome,
    settle_seconds: folder.settleSeconds,
    uses_polling: folder.usesPolling,
    is_on: folder.isOn,
    created_at: timestamp(folder.createdAt),
    state: watch?.state ?? 'off',
    problem: watch?.problem ?? '',
    taken_count: counts.taken,
    refused_count: counts.refused,
    waiting_count: watch?.waiting ?? 0,
    unreadable: watch?.unreadable ?? [],
  };
}

export const presentWatchedFile = (file: WatchedFileRecord): WatchedFile => ({
  path: file.path,
  size: file.size,
  sha256: file.sha256,
  apks: file.apks.map(({ sha256, isNew }) => ({ sha256, is_new: isNew })),
  refused: file.refusals,
  taken_at: timestamp(file.takenAt),
});
