// Families of APKs, in the shapes that are sent.
import type { Family, FamilyAction, FamilyDetail } from '../../contract/catalogue/family.ts';
import { riskLevelOf } from '../../contract/findings/risk.ts';
import type { ApkRecord } from '../../services/catalogue/catalogue.ts';
import type { FamilyActionRecord, FamilyRecord } from '../../services/families/families.ts';
import type { FamilyPortrait } from '../../services/families/family-portrait.ts';
import { presentApkReference } from './apk.ts';
import { presentFamilyReference } from './code-family.ts';
import { type Presenting, timestamp, timestampOrNull } from './presenting.ts';

export const presentFamily = (presenting: Presenting, family: FamilyRecord, newest: ApkRecord | undefined): Family => ({
  ...presentFamilyReference(presenting, family),
  is_named: family.name !== '',
  is_confirmed: family.isConfirmed,
  note: family.note,
  apks_count: family.members,
  risk: family.risk === null ? null : { score: family.risk, level: riskLevelOf(family.risk) },
  first_seen_at: timestampOrNull(family.firstAt),
  last_seen_at: timestampOrNull(family.lastAt),
  newest: newest === undefined ? null : presentApkReference(presenting, newest),
  created_at: timestamp(family.createdAt),
  updated_at: timestamp(family.updatedAt),
});

export const presentFamilyDetail = (shown: Family, portrait: FamilyPortrait): FamilyDetail => ({
  ...shown,
  proposed_names: portrait.names,
  over_time: portrait.overTime.map(({ from, count }) => ({ from, apks_count: count })),
  compared_count: portrait.compared,
  methods:
    portrait.code === null
      ? null
      : {
          ...{ shared: portrait.code.shared, least: portrait.code.least, most: portrait.code.most },
          is_estimated: portrait.code.isEstimated,
        },
  traits: portrait.traits,
});

const counted = (count: number | undefined) => `${count ?? 0} ${count === 1 ? 'APK' : 'APKs'}`;
const quoted = (name: string) => (name === '' ? 'no name' : `“${name}”`);

/** What was done, in a sentence. */
function describedAction({ kind, detail }: FamilyActionRecord, other: FamilyRecord | undefined): string {
  const { apks, before, after, verdict, family } = detail;
  const another = other === undefined ? 'another family' : quoted(other.title);
  switch (kind) {
    case 'create':
      return `Made of ${counted(apks)}`;
    case 'edit':
      return before?.name === after?.name
        ? 'Noted something'
        : `Named ${quoted(after?.name ?? '')} instead of ${quoted(before?.name ?? '')}`;
    case 'add':
      return `Put ${counted(apks)} into it`;
    case 'remove':
      return `Took ${counted(apks)} out of it`;
    case 'split':
      return `Split ${counted(apks)} off from ${another}`;
    case 'merge':
      return `Merged ${another} into it: ${counted(apks)}`;
    case 'judge':
      return `Said of ${counted(apks)}: ${[verdict, ...(family === '' ? [] : [quoted(family ?? '')])].join(', ')}`;
  }
}

export function presentFamilyAction(
  presenting: Presenting,
  action: FamilyActionRecord,
  other: FamilyRecord | undefined,
): FamilyAction {
  return {
    id: presenting.ids.encode('family-action', action.id),
    kind: action.kind,
    description: describedAction(action, other),
    other: other === undefined ? null : presentFamilyReference(presenting, other),
    analyst: action.username,
    created_at: timestamp(action.createdAt),
    undone_by: action.undoneBy,
    undone_at: timestampOrNull(action.undoneAt),
  };
}
