// Cases, in the shapes that are sent.
import type { Case, CaseApk, CaseEntry } from '../../contract/catalogue/case.ts';
import type { CaseApkRecord, CaseEntryRecord, CaseRecord } from '../../services/cases/cases.ts';
import { presentApk } from './apk.ts';
import { type Presenting, timestamp } from './presenting.ts';

export function presentCase(presenting: Presenting, found: CaseRecord): Case {
  const id = presenting.ids.encode('case', found.id);
  return {
    ...{ id, url: `${presenting.baseUrl}/cases/${id}/`, name: found.name, note: found.note },
    ...{ is_closed: found.isClosed, analyst: found.username, people: found.people, apks_count: found.apks },
    open_questions_count: found.openQuestions,
    open_tasks_count: found.openTasks,
    created_at: timestamp(found.createdAt),
    updated_at: timestamp(found.updatedAt),
  };
}

export const presentCaseEntry = (presenting: Presenting, entry: CaseEntryRecord): CaseEntry => ({
  id: presenting.ids.encode('case-entry', entry.id),
  ...{ kind: entry.kind, text: entry.text, answer: entry.answer, assignee: entry.assignee },
  ...{ is_done: entry.isDone, analyst: entry.username },
  happened_at: timestamp(entry.happenedAt),
  created_at: timestamp(entry.createdAt),
  updated_at: timestamp(entry.updatedAt),
});

export const presentCaseApk = (
  presenting: Presenting,
  { sha256, name, note, username, addedAt }: CaseApkRecord,
  apk: Parameters<typeof presentApk>[1] | null,
): CaseApk => ({
  ...{ sha256, apk: apk === null ? null : presentApk(presenting, apk), name, note },
  ...{ analyst: username, added_at: timestamp(addedAt) },
});
