// Addresses of the catalogue narrowed by a search. Knows the search's quotes, not its fields.

/** @param ordering as the API names it; empty for the newest first */
export function searchAddress(search: string, ordering = ''): string {
  const query = new URLSearchParams();
  if (search !== '') query.set('search', search);
  if (ordering !== '') query.set('ordering', ordering);
  return query.size === 0 ? '/catalogue' : `/catalogue?${query}`;
}

/** A search for one value of a field; null where no quotes can hold the value. */
export const fieldSearch = (field: string, value: string): string | null =>
  value === '' || /["\\]/.test(value) ? null : `${field}:"${value}"`;
