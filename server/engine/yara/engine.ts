// The interface behind which YARA engines stand: rules in their own namespaces, bytes in, matches out. Knows no engine.

/** One ruleset as an engine gets it. */
export interface EngineSource {
  /** Unique among the sources. */
  namespace: string;
  text: string;
}

export interface EngineString {
  identifier: string;
  offset: number;
  length: number;
}

export interface EngineMatch {
  namespace: string;
  rule: string;
  tags: string[];
  metadata: Record<string, string | number | boolean>;
  /** In the order of the rule's strings, then of their places; strings that are private may be missing. */
  strings: EngineString[];
}

/** What an engine's compiler says, in YARA-X's own words and layout. */
export interface EngineDiagnostics {
  errors: string[];
  warnings: string[];
}

export interface EngineRules {
  /**
   * Scans one piece of bytes.
   * @param globals those that are not 0; the same object stands for the same values, which costs nothing to repeat
   * @throws ScanTimeout
   */
  scan(bytes: Uint8Array, globals: Readonly<Record<string, number>>, timeoutMs: number): EngineMatch[];
  /** What `load` takes, as long as the engine's version is the same; null where the engine has no such form. */
  serialize(): Uint8Array | null;
  free(): void;
}

export interface YaraEngine {
  readonly name: 'wasm' | 'native';
  /** What serialized rules depend on. */
  readonly version: string;
  /** Checks one ruleset by itself. */
  check(text: string, globals: readonly string[]): EngineDiagnostics;
  /**
   * Compiles rulesets together.
   * @param globals integers, 0 until a scan says otherwise
   * @param maxMatches of one string, past which further ones are not looked for; counts in conditions end there too
   * @throws Error where one of them does not compile
   */
  compile(sources: readonly EngineSource[], globals: readonly string[], maxMatches?: number): EngineRules;
  /**
   * Rules from their serialized form, which must be known to be whole.
   * @param globals those that they were compiled with
   */
  load(bytes: Uint8Array, globals: readonly string[]): EngineRules;
}

/** A scan that took longer than it may. */
export class ScanTimeout extends Error {
  override readonly name = 'ScanTimeout';
}

/** Both engines tell of a timeout only in words. */
export const isTimeout = (error: unknown): boolean => error instanceof Error && /time(?:d )?out/i.test(error.message);
