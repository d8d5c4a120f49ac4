// An engine made to run rules only over files of the kind that they can match, and to load them only then. Knows engines by
// their interface alone.
import { cpuMilliseconds } from '../../cpu-time.ts';
import type { Beginnings } from './beginnings.ts';
import {
  type EngineMatch,
  type EngineRules,
  type GlobalValues,
  ScanTimeout,
  type SerializedRules,
  type YaraEngine,
} from './engine.ts';
import { divideByKind } from './rule-kinds.ts';

/** Fewer rules of a kind cost less with the others than by themselves. */
const fewest = 100;

/** An engine with the same matches. @param least rules of a kind that are worth a part of their own */
export function withKinds(engine: YaraEngine, least = fewest): YaraEngine {
  return {
    name: engine.name,
    version: engine.version,
    scanTime: engine.scanTime,
    check: (text, globals) => engine.check(text, globals),
    compile(sources, globals, maxMatches) {
      const parts = divideByKind(sources, globals, least)
        .filter((part) => part.sources.length > 0)
        .map(({ beginnings, sources: some }) => new Part(beginnings, engine.compile(some, globals, maxMatches)));
      return new KindRules(parts);
    },
    load(form, globals) {
      const { kinds } = JSON.parse(new TextDecoder().decode(form.read(0))) as { kinds: Beginnings[] };
      const parts = kinds.map((beginnings, index) => {
        const loaded = () => engine.load({ read: () => form.read(index + 1), close: () => undefined }, globals);
        return new Part(beginnings, beginnings === null ? loaded() : loaded);
      });
      return new KindRules(parts, form);
    },
  };
}

class Part {
  readonly #beginnings: readonly Uint8Array[] | null;
  readonly beginnings: Beginnings;
  #rules: EngineRules | (() => EngineRules);

  /** @param rules or what loads them when they are first needed */
  constructor(beginnings: Beginnings, rules: EngineRules | (() => EngineRules)) {
    this.beginnings = beginnings;
    this.#beginnings = beginnings?.map((bytes) => Buffer.from(bytes, 'latin1')) ?? null;
    this.#rules = rules;
  }

  mayMatch(bytes: Uint8Array): boolean {
    if (this.#beginnings === null) return true;
    return this.#beginnings.some((beginning) => beginning.every((byte, index) => bytes[index] === byte));
  }

  rules(): EngineRules {
    if (typeof this.#rules === 'function') this.#rules = this.#rules();
    return this.#rules;
  }

  free(): void {
    if (typeof this.#rules !== 'function') this.#rules.free();
  }
}

class KindRules implements EngineRules {
  readonly #parts: readonly Part[];
  readonly #form: SerializedRules | null;

  /** @param form what parts that are not loaded yet come from */
  constructor(parts: readonly Part[], form: SerializedRules | null = null) {
    this.#parts = parts;
    this.#form = form;
  }

  makeReady(bytes: Uint8Array): void {
    for (const part of this.#parts) if (part.mayMatch(bytes)) part.rules();
  }

  scan(bytes: Uint8Array, globals: GlobalValues, timeoutMs: number, ofFile?: GlobalValues): EngineMatch[] {
    const started = cpuMilliseconds();
    return this.#parts.flatMap((part, index) => {
      if (!part.mayMatch(bytes)) return [];
      if (index > 0 && cpuMilliseconds() - started > timeoutMs)
        throw new ScanTimeout('the scan took longer than it may');
      return part.rules().scan(bytes, globals, timeoutMs, ofFile);
    });
  }

  serialize(): Uint8Array[] | null {
    const pieces = this.#parts.map((part) => part.rules().serialize()?.[0]);
    if (pieces.some((piece) => piece === undefined)) return null;
    const kinds = this.#parts.map(({ beginnings }) => beginnings);
    return [Buffer.from(JSON.stringify({ kinds })), ...pieces.map((piece) => piece!)];
  }

  free(): void {
    for (const part of this.#parts) part.free();
    this.#form?.close();
  }
}
