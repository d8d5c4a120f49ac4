// Sizes and times as people write them, read and written. Imports nothing.

/** Bytes, the larger ones first; of equal shortness the first one is chosen. */
const sizeUnits: readonly (readonly [unit: string, bytes: number])[] = [
  ['TiB', 1024 ** 4],
  ['TB', 1e12],
  ['GiB', 1024 ** 3],
  ['GB', 1e9],
  ['MiB', 1024 ** 2],
  ['MB', 1e6],
  ['KiB', 1024],
  ['kB', 1e3],
];

const timeUnits: readonly (readonly [unit: string, seconds: number])[] = [
  ['days', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
];

/** Units by the beginning of their names; `d` and `day` are days. */
const unitOf = (units: typeof sizeUnits, name: string): number | undefined =>
  units.find(([unit]) => unit.toLowerCase() === name.toLowerCase())?.[1] ??
  (name === '' ? undefined : units.find(([unit]) => unit.toLowerCase().startsWith(name.toLowerCase()))?.[1]);

const numberOf = (text: string): [amount: number, unit: string] | null => {
  const [, amount, unit = ''] = /^\s*(\d{1,15}(?:[.,]\d{1,6})?)\s*([a-z]*)\s*$/i.exec(text) ?? [];
  return amount === undefined ? null : [Number(amount.replace(',', '.')), unit];
};

/** Bytes exactly, in the unit that says them shortest: `2 GiB`, `1.5 GB`, `12345 B`. */
export function exactSize(bytes: number): string {
  const [found] = sizeUnits.filter(([, size]) => bytes >= size && Number.isInteger((100 * bytes) / size));
  return found === undefined ? `${bytes} B` : `${bytes / found[1]} ${found[0]}`;
}

/** Bytes of what somebody wrote, without a unit in MB; null where it is no size. */
export function readSize(text: string): number | null {
  const [amount, unit] = numberOf(text) ?? [];
  if (amount === undefined || unit === undefined) return null;
  const size = unit === '' ? 1e6 : /^b(?:ytes?)?$/i.test(unit) ? 1 : unitOf(sizeUnits, unit);
  return size === undefined ? null : Math.round(amount * size);
}

/** A time exactly, in the largest unit that says it as a whole number: `12 h`, `90 min`, `14 days`, `1 day`. */
export function exactTime(seconds: number): string {
  if (seconds === 0) return '0';
  const [unit, length] = timeUnits.find(([, size]) => Number.isInteger(seconds / size)) ?? ['s', 1];
  const amount = seconds / length;
  return `${amount} ${amount === 1 && unit === 'days' ? 'day' : unit}`;
}

/** Seconds of what somebody wrote. @param bare seconds of a number without a unit @returns null where it is no time */
export function readTime(text: string, bare: number): number | null {
  const [amount, unit] = numberOf(text) ?? [];
  if (amount === undefined || unit === undefined) return null;
  const seconds = unit === '' ? bare : unitOf(timeUnits, unit);
  return seconds === undefined ? null : Math.round(amount * seconds);
}
