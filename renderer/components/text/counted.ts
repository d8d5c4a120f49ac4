// Numbers as the texts write them, alone or with their noun. Knows nothing of what is counted.
const integers = new Intl.NumberFormat('en-GB');

/** `12,345`. */
export const formatCount = (count: number) => integers.format(count);

/** `1 APK`, `2,000 APKs`. */
export const counted = (count: number, one: string, many: string) =>
  `${formatCount(count)} ${count === 1 ? one : many}`;
