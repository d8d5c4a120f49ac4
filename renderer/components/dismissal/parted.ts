// Separates findings and matching rules from dismissed ones. Knows evidence and dismissals, not how they are shown.
import type { Dismissal } from '../../../server/contract/catalogue/dismissal.ts';
import { dismisses, type Evidence } from '../../../server/contract/findings/dismissed.ts';

export interface Parted<T> {
  standing: T[];
  /** Dismissed items by the first dismissal that covers them. */
  dismissed: Map<Dismissal, T[]>;
}

/** Separates the evidence of an APK by the dismissals in force for it. */
export function parted<T>(
  items: readonly T[],
  held: readonly Dismissal[],
  evidenceOf: (item: T) => Evidence,
): Parted<T> {
  const dismissings = held.map((dismissal) => ({ ...dismissal, ruleset: dismissal.ruleset?.id ?? null }));
  const standing: T[] = [];
  const dismissed = new Map<Dismissal, T[]>();
  for (const item of items) {
    const evidence = evidenceOf(item);
    const at = dismissings.findIndex((dismissing) => dismisses(dismissing, evidence));
    if (at < 0) standing.push(item);
    else dismissed.set(held[at]!, [...(dismissed.get(held[at]!) ?? []), item]);
  }
  return { standing, dismissed };
}

/** Names that places lie in, as a dismissal takes them: packages from two parts on, classes, native libraries. */
export function librariesOf(places: readonly string[]): string[] {
  const found = new Set<string>();
  for (const place of places.slice(0, 200)) {
    const native = /(?:^|\/)([^/:]+\.so)(?::|$)/i.exec(place)?.[1];
    if (native !== undefined) found.add(native);
    const name =
      /(?:^|:)L([^;]+);/.exec(place)?.[1]?.replaceAll('/', '.') ?? /:([\w$]+(?:\.[\w$]+)+)$/.exec(place)?.[1];
    const parts = name?.split('.') ?? [];
    for (let length = Math.min(2, parts.length); length <= parts.length && length > 0; length++)
      found.add(parts.slice(0, length).join('.'));
  }
  return [...found].slice(0, 50);
}
