// Which parts an APK's page has, in which order, and by which key each is opened. Knows no content.
import type { texts } from '../../texts.ts';

export type PartName = keyof typeof texts.apk.tabs;
export type PartGroup = keyof typeof texts.parts.groups;

export const partGroups: readonly { group: PartGroup; parts: readonly PartName[] }[] = [
  { group: 'overview', parts: ['summary'] },
  { group: 'declared', parts: ['manifest', 'permissions', 'components', 'signature'] },
  { group: 'content', parts: ['files', 'resources', 'indicators', 'code', 'abilities', 'libraries', 'native'] },
  { group: 'behaviour', parts: ['dynamic', 'matches', 'community'] },
  { group: 'record', parts: ['jobs', 'raw'] },
];

export const partNames: readonly PartName[] = partGroups.flatMap(({ parts }) => parts);

/** Keys of the parts that one goes to most. */
export const partKeys: Partial<Record<PartName, string>> = {
  summary: '1',
  manifest: '2',
  permissions: '3',
  components: '4',
  signature: '5',
  files: '6',
  code: '7',
  indicators: '8',
  dynamic: '9',
  community: '0',
};
