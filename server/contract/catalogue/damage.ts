// What is wrong with an APK that counts as corrupted. Workers load it: it imports nothing.

/**
 * From the least grave on. `unsigned`: there is no signature; `signature`: there is one that does not verify, on some
 * Android versions at least; `damaged`: manifest or code cannot be read.
 */
export const damages = ['unsigned', 'signature', 'damaged'] as const;
export type Damage = (typeof damages)[number];

/** Why an APK counts as corrupted, in the engine's words. */
export const corruptions = {
  unsigned: 'the signature is missing',
  signature: 'the signature does not verify',
} as const;

/** The gravest damage that these reasons tell of; null: there is none. */
export function damageOf(reasons: readonly string[]): Damage | null {
  const kinds = reasons.map((reason) =>
    reason === corruptions.unsigned ? 'unsigned' : reason === corruptions.signature ? 'signature' : 'damaged',
  );
  return damages.findLast((damage) => kinds.includes(damage)) ?? null;
}
