// Which of two APKs stands left where they are compared. Imports nothing.

interface Versioned {
  /** As the manifest has it; may be empty, or no number. */
  versionCode: string;
}

const numberOf = ({ versionCode }: Versioned): bigint | null =>
  /^\d{1,19}$/.test(versionCode) ? BigInt(versionCode) : null;

/** The lower version code first; where that does not tell, in the order given, which is that in which they were seen. */
export function inVersionOrder<T extends Versioned>(first: T, second: T): [T, T] {
  const [one, other] = [numberOf(first), numberOf(second)];
  return one !== null && other !== null && other < one ? [second, first] : [first, second];
}
