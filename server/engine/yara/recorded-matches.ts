// The matches of one ruleset that a scan reports, within bounds. Knows no engine that finds them.
import type { RuleMatch } from '../../contract/engine/yara.ts';
import type { EngineMatch, EngineString } from './engines/engine.ts';
import type { ScannedFile } from './engines/guarded-scan.ts';
import { authorsWord } from './rewriting/older-dialect.ts';
import type { GroupMember } from './rule-group.ts';

/** Of a match; the report also says how many there were. A rule that matches every byte would fill it. */
const maxStringsPerMatch = 50;
/** Matching rules of one ruleset over all files of an APK. Beyond them a rule is recorded where it matches first. */
const maxMatchesPerRuleset = 500;
/** Of one rule. */
const maxFilesPerRule = 20;
/** Characters of all matches of one ruleset as JSON; beyond them a match is reported without its strings. */
const maxMatchesLength = 262_144;
/** Metadata of a rule, which is reported with each match. */
const maxMetadata = 50;
const maxMetadataLength = 500;
const maxRulesPerRuleset = 5000;
const maxStringsBeyond = 5;
/** Of the bytes that a string matched. */
const maxDataLength = 128;

export interface NamedFile extends ScannedFile {
  /** The entry's, empty for the APK itself. */
  name: string;
}

type Places = ReadonlyMap<string, readonly EngineString[]>;

export class RecordedMatches {
  readonly #rules: GroupMember['rules'];
  /** Place of each rule among the others; null until two of them match in one file. */
  #order: ReadonlyMap<string, number> | null = null;
  /** In how many files each rule matched. */
  readonly #files = new Map<string, number>();
  readonly #matches: { rule: string; told: RuleMatch }[] = [];
  /** Characters as JSON. */
  #length = 0;

  constructor(rules: GroupMember['rules']) {
    this.#rules = rules;
  }

  /**
   * Counts the matches in one file.
   * @param placesOf the strings that matched, by the rules that are named
   * @returns those that are reported
   */
  add(found: readonly EngineMatch[], file: NamedFile, placesOf: (rules: readonly string[]) => Places): RuleMatch[] {
    const files = this.#files;
    const matches = this.#inOrder(found);
    const isWithin = ({ rule }: EngineMatch) => (files.get(rule) ?? 0) < maxFilesPerRule;
    const within = matches.filter(isWithin).slice(0, Math.max(0, maxMatchesPerRuleset - this.#matches.length));
    const isFirst = (match: EngineMatch) => !files.has(match.rule) && !within.includes(match);
    const beyond = matches.filter(isFirst).slice(0, Math.max(0, maxRulesPerRuleset - files.size));
    const told = [
      ...this.#withPlaces(within, file, placesOf, maxStringsPerMatch),
      ...this.#withPlaces(beyond, file, placesOf, maxStringsBeyond),
    ].map((match) => this.#withinLength(match));
    for (const { rule } of matches) files.set(rule, (files.get(rule) ?? 0) + 1);
    this.#matches.push(...[...within, ...beyond].map(({ rule }, index) => ({ rule, told: told[index]! })));
    return told;
  }

  /** In the order of the rules, which an engine may keep in several parts. */
  #inOrder(matches: readonly EngineMatch[]): readonly EngineMatch[] {
    if (matches.length < 2) return matches;
    this.#order ??= new Map([...this.#rules.keys()].map((rule, index) => [rule, index]));
    const order = this.#order;
    return matches.toSorted((one, other) => order.get(one.rule)! - order.get(other.rule)!);
  }

  /**
   * Adds to each match in how many files its rule matched, of `all` that were scanned.
   * @param toldAs how many that is to be called
   */
  end(all: number, toldAs: number): void {
    const proved = new Set(this.#matches.filter(({ told }) => told.strings_count > 0).map(({ rule }) => rule));
    for (const { rule, told } of this.#matches) {
      const count = this.#files.get(rule)!;
      told.files_count = count === all ? toldAs : count;
      if (count === all && !proved.has(rule)) told.is_of_apk = true;
    }
  }

  /** The matches with the strings that they rest on. */
  #withPlaces(
    matches: readonly EngineMatch[],
    file: NamedFile,
    placesOf: (rules: readonly string[]) => Places,
    maxStrings: number,
  ): RuleMatch[] {
    const names = matches.map(({ rule }) => rule).filter((rule) => this.#rules.get(rule)!.hasPlaces);
    const places: Places = names.length === 0 ? new Map() : placesOf(names);
    return matches.map(({ rule, tags, metadata }) => {
      const strings = places.get(rule) ?? [];
      return {
        name: this.#rules.get(rule)!.name,
        tags: tags.map(authorsWord),
        metadata: shortMetadata(metadata),
        file: file.name,
        files_count: 1,
        strings: strings.slice(0, maxStrings).map(({ identifier, offset, length }) => ({
          identifier,
          offset,
          length,
          data: printable(file.bytes.subarray(offset, offset + Math.min(length, maxDataLength))),
        })),
        strings_count: strings.length,
      };
    });
  }

  /** The match; where there is no more room, without its strings and metadata, whose number stays. */
  #withinLength(match: RuleMatch): RuleMatch {
    const { length } = JSON.stringify(match);
    const isWithin = this.#length + length <= maxMatchesLength;
    if (isWithin) this.#length += length;
    return isWithin ? match : { ...match, tags: [], metadata: {}, strings: [] };
  }
}

const shortMetadata = (metadata: RuleMatch['metadata']): RuleMatch['metadata'] =>
  Object.fromEntries(
    Object.entries(metadata)
      .slice(0, maxMetadata)
      .map(([word, value]) => [
        authorsWord(word),
        typeof value === 'string' ? value.slice(0, maxMetadataLength) : value,
      ]),
  );

/** Printable ASCII as it is, other bytes as `\x00`, a backslash doubled. */
function printable(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) {
    if (byte === 92) text += '\\\\';
    else if (byte >= 32 && byte < 127) text += String.fromCharCode(byte);
    else text += `\\x${byte.toString(16).padStart(2, '0')}`;
  }
  return text;
}
