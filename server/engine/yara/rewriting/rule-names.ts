// Names for rules in the engine, where each may be used once and some are taken. Knows no rule's text.
import { engineWords } from './older-dialect.ts';

export class RuleNames {
  /** By the author's name, the engine's name of the latest rule with it. */
  readonly #latest = new Map<string, string>();
  readonly #taken = new Set<string>(engineWords);
  /** By the author's name, the last number that was tried behind it. */
  readonly #numbers = new Map<string, number>();

  /** A new rule's name in the engine: the author's, or that with a number where it is taken. */
  add(name: string): string {
    let engineName = name;
    for (let number = this.#numbers.get(name) ?? 2; this.#taken.has(engineName); number++) {
      engineName = `${name}__${number}`;
      this.#numbers.set(name, number);
    }
    this.#latest.set(name, engineName);
    this.#taken.add(engineName);
    return engineName;
  }

  /** What the engine calls the latest rule of this name; undefined where there is none. */
  latest(name: string): string | undefined {
    return this.#latest.get(name);
  }
}
