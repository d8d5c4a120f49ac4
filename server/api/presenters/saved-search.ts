// Saved searches in their current shape.
import type { SavedSearch } from '../../contract/catalogue/saved-search.ts';
import type { SavedSearchRecord } from '../../services/catalogue/saved-searches.ts';
import { type Presenting, timestamp } from './presenting.ts';

export function presentSavedSearch({ baseUrl, ids }: Presenting, saved: SavedSearchRecord): SavedSearch {
  const id = ids.encode('saved-search', saved.id);
  const { name, search, ordering, createdAt, updatedAt } = saved;
  const url = `${baseUrl}/account/searches/${id}/`;
  return { id, url, name, search, ordering, created_at: timestamp(createdAt), updated_at: timestamp(updatedAt) };
}
