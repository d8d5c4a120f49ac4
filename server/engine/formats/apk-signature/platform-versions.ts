// API levels at which Android's signature verification changed. Knows no signature scheme's format.

export const apiLevel = {
  gingerbread: 9,
  jellyBeanMr2: 18,
  kitKat: 19,
  nougat: 24,
  oreo: 26,
  pie: 28,
  r: 30,
  tiramisu: 33,
} as const;

/** The largest API level there can be: what "and all later versions" means in a signer's range. */
export const newestApiLevel = 0x7fff_ffff;

/** Android installs no APK, and apksig accepts none, that is signed by more in one scheme. */
export const maxSigners = 10;

/** Initials of released code names, each with the last API level before that release. */
const initials: readonly (readonly [initial: string, level: number])[] = [
  ['C', 2],
  ['D', 3],
  ['E', 4],
  ['F', 7],
  ['G', 8],
  ['H', 10],
  ['I', 13],
  ['J', 15],
  ['K', 18],
  ['L', 20],
  ['M', 22],
  ['N', 23],
  ['O', 25],
];

/**
 * The API level that a preview platform's code name stands for, as apksig takes it: a preview of O may still be 25. For
 * initials between or after the known ones a level is counted per letter.
 * @returns null for what is no code name
 * @see https://android.googlesource.com/platform/tools/apksig/+/refs/heads/main/src/main/java/com/android/apksig/apk/ApkUtils.java
 */
export function apiLevelOfCodename(codename: string): number | null {
  const initial = codename.charAt(0);
  if (!/^[A-Z]$/.test(initial)) return null;
  const known = initials.findLast(([each]) => each <= initial);
  return known === undefined ? 1 : known[1] + initial.charCodeAt(0) - known[0].charCodeAt(0);
}
