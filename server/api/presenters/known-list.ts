// Lists of known files and signers, in the shape that is sent.
import type { KnownList } from '../../contract/jobs/known-list.ts';
import type { ShownList } from '../../services/catalogue/known-apks.ts';
import { timestamp } from './presenting.ts';

const unread = {
  count: 0,
  source: '',
  imported_at: null,
  added: 0,
  removed: 0,
  unreadable: 0,
  first_unreadable_line: 0,
};

export function presentKnownList(list: ShownList): KnownList {
  if (list.count === null) return { ...unread, name: list.name, kind: null };
  const { firstUnreadable, importedAt, ...shown } = list;
  return { ...shown, imported_at: timestamp(importedAt * 1000), first_unreadable_line: firstUnreadable };
}
