// Sealed collections on their way, and what they told, in the shape that is sent.
import type { CollectionTransfer, ToldSaying } from '../../contract/workstation/collection.ts';
import type { ToldRecord, Transfer } from '../../services/collections/sealed/collections.ts';
import { type Presenting, timestamp } from './presenting.ts';

export const presentTransfer = ({ ids }: Presenting, transfer: Transfer): CollectionTransfer => ({
  id: ids.encode('collection', transfer.id),
  direction: transfer.direction,
  path: transfer.path,
  state: transfer.state,
  problem: transfer.problem,
  apk_count: transfer.apks,
  done_count: transfer.done,
  added_count: transfer.added,
  held_count: transfer.held,
  refused: transfer.refused,
  refused_count: transfer.refusedCount,
  saying_count: transfer.sayings,
  case_count: transfer.cases,
  started_at: timestamp(transfer.startedAt),
});

export const presentTold = ({ saying, broughtBy, createdAt }: ToldRecord): ToldSaying => ({
  saying,
  brought_by: broughtBy,
  brought_at: timestamp(createdAt),
});
