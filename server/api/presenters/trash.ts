// Items of the trash.
import type { TrashItem } from '../../contract/catalogue/trash.ts';
import type { TrashRecord } from '../../services/catalogue/trash.ts';
import { type Presenting, timestamp } from './presenting.ts';

/** @param expiresAt microseconds since 1970 UTC */
export function presentTrashItem({ baseUrl, ids }: Presenting, item: TrashRecord, expiresAt: number): TrashItem {
  const id = ids.encode('trash', item.id);
  return {
    id,
    url: `${baseUrl}/trash/${id}/`,
    kind: item.kind,
    sha256: item.sha256,
    ruleset: item.kind === 'ruleset' ? ids.encode('ruleset', item.rowId) : null,
    name: item.name,
    size: item.size,
    deleted_by: item.username,
    deleted_at: timestamp(item.deletedAt),
    expires_at: timestamp(expiresAt),
  };
}
