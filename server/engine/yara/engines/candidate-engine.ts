// An engine for which every scan is costly, made to scan only where a rule may match. Knows engines by their interface alone.
import { cpuMilliseconds } from '../../cpu-time.ts';
import { type Replacement, RewrittenText } from '../language/position-map.ts';
import { outlineRules } from '../language/rule-outline.ts';
import type { Token } from '../language/tokens.ts';
import { zeroGlobal } from '../rewriting/rewriting.ts';
import { Candidates } from './candidates.ts';
import {
  type EngineMatch,
  type EngineRules,
  type EngineSource,
  type GlobalValues,
  labelOf,
  ScanTimeout,
  type YaraEngine,
} from './engine.ts';

/** Rulesets that are compiled together: in a small part a candidate costs little, and few parts read the bytes less often. */
const partSize = 64;
const maxParts = 8;
/** Combinations of values of the globals that change with every file, for which matches are kept. */
const maxConstant = 256;
/** A loop over more strings would take the engine too long. */
const maxStrings = 200;

/** An engine with the same matches that skips scans in which no rule can match. */
export function withCandidates(engine: YaraEngine): YaraEngine {
  return {
    name: engine.name,
    version: engine.version,
    scanTime: engine.scanTime,
    check: (text, globals) => engine.check(text, globals),
    compile: (sources, globals, maxMatches) => new CandidateRules(engine, sources, globals, maxMatches),
    load: (form, globals) => engine.load(form, globals),
  };
}

/** Rulesets that are compiled together. */
interface Part {
  readonly engineRules: EngineRules;
  /** Rules that globals alone decide, with their namespaces. */
  readonly constantRules: ReadonlySet<string>;
  /** The globals that decide over them. */
  readonly decisive: readonly string[];
  /** The matches of such rules, by the values of the globals that change with every file. */
  readonly constant: Map<string, EngineMatch[]>;
}

class CandidateRules implements EngineRules {
  readonly #candidates: Candidates;
  readonly #parts: readonly Part[];
  /** By source, its part. */
  readonly #partOf: readonly Part[];
  #globals: GlobalValues | null = null;

  constructor(
    engine: YaraEngine,
    sources: readonly EngineSource[],
    globals: readonly string[],
    maxMatches: number | undefined,
  ) {
    this.#candidates = new Candidates(sources, globals);
    const eager = new Set(this.#candidates.eager);
    const inOrder = [...sources.keys()].sort((a, b) => Number(eager.has(b)) - Number(eager.has(a)));
    const size = Math.max(partSize, Math.ceil(sources.length / maxParts));
    const parts: Part[] = [];
    const partOf: Part[] = [];
    for (let start = 0; start < inOrder.length; start += size) {
      const some = inOrder.slice(start, start + size);
      const cheap = some.map((index) => ({ ...sources[index]!, text: withoutCostlyCalls(sources[index]!.text) }));
      const constant = some.flatMap((index) =>
        [...this.#candidates.constantRules(index)].map(
          ([rule, decisive]) => [labelOf({ namespace: sources[index]!.namespace, rule }), decisive] as const,
        ),
      );
      const part: Part = {
        engineRules: engine.compile(cheap, globals, maxMatches),
        constantRules: new Set(constant.map(([label]) => label)),
        decisive: [...new Set(constant.flatMap(([, decisive]) => [...decisive]))],
        constant: new Map(),
      };
      parts.push(part);
      for (const index of some) partOf[index] = part;
    }
    this.#parts = parts;
    this.#partOf = partOf;
  }

  scan(bytes: Uint8Array, globals: GlobalValues, timeoutMs: number, ofFile?: GlobalValues): EngineMatch[] {
    const started = cpuMilliseconds();
    if (this.#globals !== globals) {
      for (const { constant } of this.#parts) constant.clear();
      this.#globals = globals;
    }
    const wanted = new Set(this.#candidates.find(bytes, globals, ofFile).map((source) => this.#partOf[source]!));
    return this.#parts.flatMap((part) => {
      const values = ofFile === undefined ? '' : JSON.stringify(part.decisive.map((name) => ofFile[name]));
      const known = part.constantRules.size === 0 ? [] : part.constant.get(values);
      if (known !== undefined && !wanted.has(part)) return known;
      if (cpuMilliseconds() - started > timeoutMs) throw new ScanTimeout('the scan took longer than it may');
      const matches = part.engineRules.scan(bytes, globals, timeoutMs, ofFile);
      if (known === undefined) {
        if (part.constant.size >= maxConstant) part.constant.clear();
        const constant = matches.filter((match) => part.constantRules.has(labelOf(match)));
        part.constant.set(values, constant);
      }
      return matches;
    });
  }

  serialize(): null {
    return null;
  }

  free(): void {
    for (const { engineRules } of this.#parts) engineRules.free();
  }
}

/**
 * YARA-X as WebAssembly copies its memory for every call that a condition makes to the engine, which `any of them` is, and
 * the value of a global too. `for any of them : ($)` says the same without; so does a difference that is always 0.
 */
function withoutCostlyCalls(text: string): string {
  const replacements: Replacement[] = [];
  for (const { strings, condition } of outlineRules(text)) {
    for (const [index, token] of condition.entries()) {
      if (token.text === zeroGlobal) {
        replacements.push({ start: token.start, end: token.end, text: '(filesize-filesize)' });
      } else if (token.text === 'of' && strings.length <= maxStrings) {
        replacements.push(...loopOver(condition, index));
      }
    }
  }
  return new RewrittenText(
    text,
    replacements.sort((a, b) => a.start - b.start),
  ).text;
}

const isPlainQuantifier = ({ kind, text }: Token): boolean => kind === 'number' || /^(?:any|all|none)$/.test(text);

/** Makes a loop of `any of ($a, $b)`; nothing where the set holds anything else, or its strings have to stand at a place. */
function loopOver(condition: readonly Token[], of: number): Replacement[] {
  const quantifier = condition[of - 1];
  if (quantifier === undefined || !isPlainQuantifier(quantifier)) return [];
  if (!/^(?:and|or|not|\()?$/.test(condition[of - 2]?.text ?? '')) return [];
  let end = of + 1;
  if (condition[end]?.text === '(') {
    do end += 1;
    while (condition[end]?.text === ',' || condition[end]?.text.startsWith('$') === true);
  }
  const isSet = condition[end]?.text === (end === of + 1 ? 'them' : ')');
  if (!isSet || /^(?:at|in)$/.test(condition[end + 1]?.text ?? '')) return [];
  return [
    { start: quantifier.start, end: quantifier.start, text: 'for ' },
    { start: condition[end]!.end, end: condition[end]!.end, text: ' : ($)' },
  ];
}
