// A value as it is written in a search. Knows no field.

const operator = /^(and|or|not)$/i;

/** In quotes where it would be read otherwise. A phrase cannot contain a quote itself: the value is cut before it. */
export function searchWord(value: string): string {
  if (/^[\p{L}\p{N}_.$/@%][^\s\0()":~*[\]]*$/u.test(value) && !operator.test(value)) return value;
  const [written = ''] = value.split('"').filter((part) => part.trim() !== '');
  return `"${written}"`;
}
