// Finds compiled forms of rulesets, in memory, in the folder of the service side or by compiling, and says what to keep there. Knows no APK.
import { hash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { PreparedRules, SentRuleset } from '../../contract/engine/yara.ts';
import { fileSource } from '../../vault/byte-source.ts';
import { cpuMilliseconds } from '../cpu-time.ts';
import { RulesetCollection } from './collection.ts';
import type { YaraEngine } from './engines/engine.ts';
import { compileGroup, encodeGroup, openGroup, type RuleGroup, type StoredGroup } from './rule-group.ts';
import { type KeyedRules, taskRulesets } from './sent-rulesets.ts';

const extension = '.compiled-rules';
/** Groups that a process keeps loaded: those of the active rulesets, and of a hunt or two. */
const maxLoaded = 8;
/** Each group reads every file again: past this number the smallest groups are compiled into one. */
const maxGroups = 3;
/** Where a larger share of what is compiled belongs to deleted rulesets, everything is compiled anew. */
const maxWaste = 0.25;

interface Choice {
  names: string[];
  groups: StoredGroup[];
  /** Rulesets that are in no chosen group. */
  missing: KeyedRules[];
}

export class CompiledRules {
  readonly #engine: YaraEngine;
  /** By file name, or by its keys where a group has no file; the latest used last. */
  readonly #loaded = new Map<string, RuleGroup>();
  /** By file name. */
  readonly #stored = new Map<string, StoredGroup>();
  #last: { label: string; collection: RulesetCollection } | null = null;

  constructor(engine: YaraEngine) {
    this.#engine = engine;
  }

  /** The rulesets ready to scan; what has no compiled form yet is compiled. @throws RulesMissing */
  collectionOf(rulesets: readonly SentRuleset[], folder: string | undefined): RulesetCollection {
    const keyed = taskRulesets(rulesets, folder);
    const label = hash(
      'sha256',
      JSON.stringify([folder, ...keyed.map(({ id, key, sharer }) => [id, key, sharer])]),
      'hex',
    );
    if (this.#last?.label === label) return this.#last.collection;
    const { names, groups, missing } = this.#choose(keyed, folder);
    const loaded = groups.map((group, index) => this.#keep(names[index]!, () => this.#load(group, keyed)));
    const compiled =
      missing.length === 0 ? [] : [this.#keep(nameOf(missing), () => compileGroup(this.#engine, missing))];
    this.#last?.collection.free();
    const collection = new RulesetCollection(this.#engine, keyed, [...loaded, ...compiled]);
    this.#last = { label, collection };
    return collection;
  }

  /** Compiles what has no file in the folder: together with the smallest groups where there are many, and all of it anew where much belongs to deleted rulesets. */
  prepare(rulesets: readonly SentRuleset[], folder: string): PreparedRules {
    const started = cpuMilliseconds();
    const keyed = taskRulesets(rulesets, folder);
    const wanted = new Map(keyed.map((ruleset) => [ruleset.key, ruleset]));
    const choice = this.#choose(keyed, folder);
    const stored = choice.groups.reduce((sum, { keys }) => sum + keys.size, 0);
    const isWasteful = stored - (wanted.size - choice.missing.length) > maxWaste * stored;
    const isScattered = choice.groups.length + (choice.missing.length > 0 ? 1 : 0) > maxGroups;
    // The largest come first and are kept: only small groups are compiled again.
    const keptCount = isWasteful ? 0 : isScattered ? maxGroups - 1 : choice.groups.length;
    const keptGroups = choice.groups.slice(0, keptCount);
    const held = new Set(keptGroups.flatMap(({ keys }) => [...keys]));
    const sources = [...wanted.values()].filter(({ key }) => !held.has(key));
    const kept = new Set(choice.names.slice(0, keptCount));
    const broken = new Map(keptGroups.flatMap((group) => [...group.broken]));
    const files: PreparedRules['files'] = [];
    if (sources.length > 0) {
      const group = compileGroup(this.#engine, sources);
      for (const [key, errors] of group.broken) broken.set(key, errors);
      const bytes = encodeGroup(this.#engine, group);
      const name = nameOf(sources);
      if (bytes !== null) files.push({ name, bytes });
      // The next scans, most likely in this process, need not load it.
      this.#keep(name, () => group);
      kept.add(name);
    }
    return {
      files,
      obsolete: filesOf(folder).filter((name) => !kept.has(name)),
      broken: rulesets.flatMap(({ id }, index) => {
        const errors = broken.get(keyed[index]!.key);
        return errors === undefined ? [] : [{ id, errors }];
      }),
      timings: { compile: Math.round(cpuMilliseconds() - started) },
    };
  }

  /** Chooses stored groups that hold most of the wanted rulesets and few others. */
  #choose(rulesets: readonly KeyedRules[], folder: string | undefined): Choice {
    const missing = new Map(rulesets.map((ruleset) => [ruleset.key, ruleset]));
    const choice: Choice = { names: [], groups: [], missing: [] };
    const candidates = folder === undefined ? [] : filesOf(folder).flatMap((name) => this.#open(folder, name));
    const wantedIn = ({ keys }: StoredGroup) => [...keys].filter((key) => missing.has(key));
    while (missing.size > 0) {
      const counted = candidates.map((candidate) => ({ ...candidate, wanted: wantedIn(candidate.group) }));
      const [best] = counted
        .filter(({ group, wanted }) => wanted.length > 0 && wanted.length * 2 >= group.keys.size)
        .sort((a, b) => b.wanted.length - a.wanted.length || a.group.keys.size - b.group.keys.size);
      if (best === undefined) break;
      choice.names.push(best.name);
      choice.groups.push(best.group);
      for (const key of best.wanted) missing.delete(key);
    }
    choice.missing = [...missing.values()];
    return choice;
  }

  #load(group: StoredGroup, rulesets: readonly KeyedRules[]): RuleGroup {
    try {
      return group.load();
    } catch {
      // The file was removed meanwhile, or the engine refuses it: its wanted rulesets are compiled.
      return compileGroup(
        this.#engine,
        rulesets.filter(({ key }) => group.keys.has(key)),
      );
    }
  }

  #open(folder: string, name: string): { name: string; group: StoredGroup }[] {
    const known = this.#stored.get(name);
    if (known !== undefined) return [{ name, group: known }];
    const group = openGroup(this.#engine, () => fileSource(join(folder, name)));
    if (group === null) return [];
    this.#stored.set(name, group);
    return [{ name, group }];
  }

  #keep(name: string, make: () => RuleGroup): RuleGroup {
    const group = this.#loaded.get(name) ?? make();
    this.#loaded.delete(name);
    this.#loaded.set(name, group);
    if (this.#loaded.size > maxLoaded) this.#forgetOldest();
    return group;
  }

  #forgetOldest(): void {
    const [name, group] = this.#loaded.entries().next().value!;
    this.#loaded.delete(name);
    if (this.#last?.collection.groups.includes(group)) this.#last = null;
    group.engineRules?.free();
  }
}

const nameOf = (rulesets: readonly KeyedRules[]): string => {
  const keys = rulesets.map(({ key }) => key).sort();
  return `${hash('sha256', keys.join(' '), 'hex').slice(0, 32)}${extension}`;
};

function filesOf(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(extension))
      .sort();
  } catch {
    // The folder is missing, or this process may not read it: everything is compiled.
    return [];
  }
}
