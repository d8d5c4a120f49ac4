// What is likely of the same family as chosen APKs, as far as their records tell: it counts neither for them nor against them.
import type { ApkRecord } from '../../../store/repositories/apk-repository.ts';
import type { SearchExpression } from '../../../store/search/search-expression.ts';

/** Packages, signers and families each that a search leaves out: the commonest. */
const maxNamed = 10;

export interface Kin {
  has(apk: ApkRecord): boolean;
  /** The same for a search, as far as it can ask. */
  expression: SearchExpression;
}

function commonest<T>(values: readonly T[]): T[] {
  const groups = [...Map.groupBy(values, (value) => value)];
  return groups
    .sort(([, one], [, other]) => other.length - one.length)
    .slice(0, maxNamed)
    .map(([value]) => value);
}

/** APKs with a package, a signer or a family of the chosen ones; families are those that people name and those of code. */
export function kinOf(chosen: readonly ApkRecord[]): Kin {
  const packages = commonest(chosen.map(({ packageName }) => packageName).filter((name) => name !== ''));
  const signers = commonest(chosen.flatMap(({ signerId }) => signerId ?? []));
  const families = commonest(chosen.map(({ family }) => family).filter((name) => name !== ''));
  const codeFamilies = commonest(chosen.flatMap(({ codeFamilyId }) => codeFamilyId ?? []));
  return {
    has: ({ packageName, signerId, family, codeFamilyId }) =>
      packages.includes(packageName) ||
      families.includes(family) ||
      (signerId !== null && signers.includes(signerId)) ||
      (codeFamilyId !== null && codeFamilies.includes(codeFamilyId)),
    expression: {
      kind: 'or',
      parts: [
        ...packages.map((text) => ({ kind: 'text', columns: ['package_name'], text }) as const),
        ...signers.map((id) => ({ kind: 'range', column: 'signer_id', from: id, to: id }) as const),
        ...families.map((name) => ({ kind: 'family', name, isPrefix: false }) as const),
      ],
    },
  };
}
