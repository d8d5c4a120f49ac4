// The interface behind which YARA engines stand: rules in their own namespaces, bytes in, matches out. Knows no engine.

/** Bytes past which a file is not scanned: an engine takes them in one piece, and a process has only so much memory. */
export const maxScanLength = 768 * 1024 * 1024;

/** One ruleset as an engine gets it. */
export interface EngineSource {
  /** Sources that share one have no name of a rule in common, and refer to none of each other's. */
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
  /** In the order of the rule's strings, then of their places, without the private ones. */
  strings: EngineString[];
}

/** Tells a rule from all others that were compiled with it. */
export const labelOf = ({ namespace, rule }: { namespace: string; rule: string }): string => `${namespace} ${rule}`;

/** One thing that an engine's compiler says of a ruleset, places as the compiler counts them. */
export interface EngineDiagnostic {
  /** YARA-X's number for it, `E009`; `error` where it has none. */
  code: string;
  title: string;
  /** What is said of the underlined parts, in their order. */
  labels: string[];
  help: string | null;
  /** Of the first underlined part, from 1; null where it concerns no place. */
  place: { line: number; column: number } | null;
  /** Characters that are underlined. */
  width: number;
  /** All that was said, with the lines of source that it quotes. */
  text: string;
}

export interface EngineDiagnostics {
  errors: EngineDiagnostic[];
  warnings: EngineDiagnostic[];
}

/** By name. */
export type GlobalValues = Readonly<Record<string, number | string>>;

/** How the names of globals begin that are texts; all others are integers. */
export const textGlobalPrefix = '__text_';
/** What globals are until a scan says otherwise. */
export const initialValues = (names: readonly string[]): Record<string, number | string> =>
  Object.fromEntries(names.map((name) => [name, name.startsWith(textGlobalPrefix) ? '' : 0]));

export interface EngineRules {
  /**
   * Scans one piece of bytes.
   * @param globals those that are not as at first; the same object stands for the same values, which costs nothing to repeat
   * @param ofFile globals that are others with every piece, all of them every time
   * @throws ScanTimeout
   */
  scan(bytes: Uint8Array, globals: GlobalValues, timeoutMs: number, ofFile?: GlobalValues): EngineMatch[];
  /** What `load` takes, as long as the engine's version is the same; null where the engine has no such form. */
  serialize(): Uint8Array | null;
  free(): void;
}

export interface YaraEngine {
  readonly name: 'wasm' | 'native';
  /** What serialized rules depend on. */
  readonly version: string;
  /** Milliseconds that it may take for any piece of bytes, however small, of which no rule is to blame. */
  readonly scanTime: number;
  /** Checks one ruleset by itself. */
  check(text: string, globals: readonly string[]): EngineDiagnostics;
  /**
   * Compiles rulesets together.
   * @param globals their names; 0 or empty until a scan says otherwise
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
