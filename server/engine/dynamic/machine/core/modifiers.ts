// java.lang.reflect.Modifier. Knows no members.
import type { Models, StaticMethods } from '../model.ts';

const words: readonly (readonly [number, string])[] = [
  [0x1, 'public'],
  [0x4, 'protected'],
  [0x2, 'private'],
  [0x400, 'abstract'],
  [0x8, 'static'],
  [0x10, 'final'],
  [0x80, 'transient'],
  [0x40, 'volatile'],
  [0x20, 'synchronized'],
  [0x100, 'native'],
  [0x800, 'strictfp'],
  [0x200, 'interface'],
];

/** Modifiers in the order in which `Modifier.toString` writes them. */
export function modifierText(modifiers: number): string {
  return words
    .filter(([bit]) => (modifiers & bit) !== 0)
    .map(([, word]) => word)
    .join(' ');
}

const queries: StaticMethods = Object.fromEntries(
  words.map(([bit, word]) => [
    `is${word === 'strictfp' ? 'Strict' : word[0]!.toUpperCase() + word.slice(1)}(I)Z`,
    (_machine: unknown, modifiers: number) => ((modifiers & bit) !== 0 ? 1 : 0),
  ]),
);

export const modifierModels: Models = {
  'Ljava/lang/reflect/Modifier;': {
    constants: Object.fromEntries(
      words.map(([bit, word]) => [`${word === 'strictfp' ? 'STRICT' : word.toUpperCase()}:I`, bit]),
    ),
    staticMethods: {
      ...queries,
      'toString(I)Ljava/lang/String;': (machine, modifiers: number) => machine.string(modifierText(modifiers)),
    },
  },
};
