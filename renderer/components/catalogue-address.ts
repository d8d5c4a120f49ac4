// Addresses of the catalogue narrowed by a search. Knows the search's quotes, not its fields.

export const searchAddress = (search: string) =>
  search === '' ? '/catalogue' : `/catalogue?${new URLSearchParams({ search })}`;

/** A search for one value of a field; null where no quotes can hold the value. */
export const fieldSearch = (field: 'package', value: string): string | null =>
  value === '' || /["\\]/.test(value) ? null : `${field}:"${value}"`;
