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
