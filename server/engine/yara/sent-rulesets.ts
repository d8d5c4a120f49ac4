// Rulesets as tasks name them: with their texts, or with where these lie. Knows no engine.
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rulesetTextsFolder, type SentRuleset } from '../../contract/engine/yara.ts';

/** A ruleset by the hash of its text: equal texts are compiled once. */
export interface KeyedRules {
  readonly key: string;
  /** @throws RulesMissing where it was to be read from a file */
  readonly rules: string;
}

/** A ruleset of a task. */
export interface TaskRuleset extends KeyedRules {
  readonly id: string;
  readonly sharer: number | undefined;
}

const keyOf = (rules: string): string => hash('sha256', rules, 'hex');

/** A text does not lie where the task says, or is another one: whoever sent the task has it. */
export class RulesMissing extends Error {
  constructor() {
    super('the text of a ruleset is not where it should lie');
    this.name = 'RulesMissing';
  }
}

class KeptRuleset implements TaskRuleset {
  readonly id: string;
  readonly key: string;
  readonly sharer: number | undefined;
  readonly #folder: string;

  constructor(id: string, key: string, sharer: number | undefined, folder: string) {
    this.id = id;
    this.key = key;
    this.sharer = sharer;
    this.#folder = folder;
  }

  /** Not kept in memory: a text is needed where it is compiled, which is once for most. */
  get rules(): string {
    let rules: string;
    try {
      rules = readFileSync(join(this.#folder, rulesetTextsFolder, this.key), 'utf8');
    } catch {
      throw new RulesMissing();
    }
    if (keyOf(rules) !== this.key) throw new RulesMissing();
    return rules;
  }
}

/**
 * @param folder of the task, where texts lie that it does not hold
 * @throws RulesMissing where it names none
 */
export function taskRulesets(rulesets: readonly SentRuleset[], folder: string | undefined): TaskRuleset[] {
  return rulesets.map(({ id, rules, key, sharer }) => {
    if (rules !== undefined) return { id, key: keyOf(rules), rules, sharer };
    if (folder === undefined || key === undefined) throw new RulesMissing();
    return new KeptRuleset(id, key, sharer, folder);
  });
}
