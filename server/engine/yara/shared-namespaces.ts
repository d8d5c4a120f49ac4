// Puts rulesets that have nothing to do with each other into one namespace of the engine, which costs less than one for
// each: some 4 kB of memory, and time with every scan. Knows no engine.

import { engineText } from './engine-text.ts';
import { tokenize } from './language/tokens.ts';
import type { RewrittenRules } from './rewriting/rewriting.ts';

/** Existing namespaces that are tried for a ruleset before it gets one of its own. */
const maxTried = 8;

interface SharedNamespace {
  name: string;
  imports: string;
  /** What its rulesets call their rules, and every word in their conditions. */
  names: Set<string>;
  words: Set<string>;
}

/**
 * A namespace for each ruleset. Those that share one import the same modules, name no rule of each other and have no
 * name in common; one with a global rule shares with none.
 * @param rulesets with a namespace that no other has
 * @returns in the order of the rulesets
 */
export function sharedNamespaces(
  rulesets: readonly { own: string; rules: string; rewritten: RewrittenRules }[],
): string[] {
  let recent: SharedNamespace[] = [];
  return rulesets.map(({ own, rules, rewritten }) => {
    const names = rewritten.rules.map(({ engineName }) => engineName);
    const words = new Set([...names, ...rewritten.rules.flatMap((rule) => [...rule.words])]);
    const isAlone = rewritten.rules.some(({ isGlobal }) => isGlobal) || [...words].some((word) => word.endsWith('*'));
    if (isAlone) return own;
    const imports = importsOf(engineText(rules, rewritten, { hasPlaces: true }));
    const isFit = (other: SharedNamespace) =>
      other.imports === imports &&
      names.every((name) => !other.words.has(name)) &&
      [...words].every((word) => !other.names.has(word));
    let shared = recent.find(isFit);
    if (shared === undefined) {
      shared = { name: own, imports, names: new Set(), words: new Set() };
      recent = [shared, ...recent.slice(0, maxTried - 1)];
    }
    for (const name of names) shared.names.add(name);
    for (const word of words) shared.words.add(word);
    return shared.name;
  });
}

function importsOf(text: string): string {
  if (!/\bimport\b/.test(text)) return '';
  const tokens = tokenize(text);
  const modules = tokens.filter((_, index) => tokens[index - 1]?.text === 'import').map((module) => module.text);
  return [...new Set(modules)].sort().join();
}
