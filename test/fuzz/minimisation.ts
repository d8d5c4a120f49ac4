// Makes an input smaller while it still fails. Knows no format.

/**
 * Leaves out ever smaller pieces, as long as the rest fails too.
 * @param maxTries how often `fails` may be asked
 */
export async function minimise(
  input: Uint8Array,
  fails: (candidate: Uint8Array) => boolean | Promise<boolean>,
  maxTries: number,
): Promise<Uint8Array> {
  let smallest = input;
  let tries = 0;
  for (let piece = Math.ceil(input.length / 2); piece >= 1 && tries < maxTries; piece = Math.floor(piece / 2)) {
    for (let at = 0; at < smallest.length && tries < maxTries; ) {
      const candidate = Buffer.concat([smallest.subarray(0, at), smallest.subarray(at + piece)]);
      tries++;
      if (await fails(candidate)) smallest = candidate;
      else at += piece;
    }
  }
  return smallest;
}
