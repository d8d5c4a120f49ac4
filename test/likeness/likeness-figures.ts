// How well likeness tells relatives from strangers: what is found of APKs whose groups are known. Knows no server.

/** One that is asked for what is like it, and everything that was found, best first. */
export interface Asked {
  readonly apk: string;
  readonly group: string;
  readonly found: readonly { readonly apk: string; readonly group: string; readonly score: number }[];
}

export interface LikenessFigures {
  /** Pairs of one group, each asked from both sides, and pairs of different groups. */
  readonly relatives: number;
  readonly strangers: number;
  /** Of the relatives' pairs, those found before the fifth stranger. */
  readonly amongFirst: number;
  /** Of the relatives' pairs, those that score at least a half, and of all pairs that do, those of relatives. */
  readonly recall: number;
  readonly precision: number;
  /** Of the strangers' pairs, those above the half. */
  readonly strangersAboveHalf: number;
  /** `a, b`: relatives that are not among the first. */
  readonly missed: readonly string[];
  /** `a, b, score`: strangers above the half. */
  readonly mistaken: readonly string[];
}

const firstResults = 5;
const half = 0.5;
const share = (part: number, whole: number): number => (whole === 0 ? 1 : part / whole);

export function likenessFigures(asked: readonly Asked[]): LikenessFigures {
  const missed: string[] = [];
  const mistaken: string[] = [];
  let relatives = 0;
  let strangers = 0;
  let good = 0;
  for (const { apk, group, found } of asked) {
    const others = asked.filter((other) => other.apk !== apk);
    strangers += others.filter((other) => other.group !== group).length;
    for (const other of others.filter((one) => one.group === group)) {
      relatives++;
      const place = found.findIndex((one) => one.apk === other.apk);
      const before = found.slice(0, place).filter((one) => one.group !== group).length;
      if (place < 0 || before >= firstResults) missed.push(`${apk}, ${other.apk}`);
      if ((found[place]?.score ?? 0) >= half) good++;
    }
    for (const one of found)
      if (one.group !== group && one.score > half) mistaken.push(`${apk}, ${one.apk}, ${one.score}`);
  }
  return {
    ...{ relatives, strangers },
    amongFirst: share(relatives - missed.length, relatives),
    recall: share(good, relatives),
    precision: share(good, good + mistaken.length),
    strangersAboveHalf: strangers === 0 ? 0 : mistaken.length / strangers,
    ...{ missed, mistaken },
  };
}
