// The interface behind which YARA engines stand: rules in their own namespaces, bytes in, matches out. Knows no engine.

/** One ruleset as an engine gets it. */
export interface EngineSource {
  /** Sources that share one have no rule name in common and refer to no rule of each other. */
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

/** Names of globals that are texts begin with it; all other globals are integers. */
export const textGlobalPrefix = '__text_';
/** The values of globals before a scan sets them. */
export const initialValues = (names: readonly string[]): Record<string, number | string> =>
  Object.fromEntries(names.map((name) => [name, name.startsWith(textGlobalPrefix) ? '' : 0]));

export interface EngineRules {
  /** Loads what a scan of these bytes needs, so that it takes no rule's time. @throws where that is damaged, or gone */
  makeReady?(bytes: Uint8Array): void;
  /**
   * Scans one piece of bytes.
   * @param globals those that differ from their initial values; passing the same object again costs nothing
   * @param ofFile all globals that change with every piece of bytes
   * @throws ScanTimeout
   */
  scan(bytes: Uint8Array, globals: GlobalValues, timeoutMs: number, ofFile?: GlobalValues): EngineMatch[];
  /** The compiled form in pieces, which `load` takes in the same version of the engine; null where the engine has none. */
  serialize(): Uint8Array[] | null;
  free(): void;
}

/** A compiled form that lies somewhere. */
export interface SerializedRules {
  /** One of its pieces, whole. @throws where it is damaged, or gone */
  read(piece: number): Uint8Array;
  close(): void;
}

export interface YaraEngine {
  readonly name: 'wasm' | 'native';
  /** Serialized rules can be loaded by this version alone. */
  readonly version: string;
  /** Milliseconds that the engine itself takes for every piece of bytes, which no rule is blamed for. */
  readonly scanTime: number;
  /** Checks one ruleset by itself. */
  check(text: string, globals: readonly string[]): EngineDiagnostics;
  /**
   * Compiles rulesets together.
   * @param globals their names; 0 or empty until a scan says otherwise
   * @param maxMatches of one string; the engine stops looking past it, so that counts in conditions end there too
   * @throws Error where one of them does not compile
   */
  compile(sources: readonly EngineSource[], globals: readonly string[], maxMatches?: number): EngineRules;
  /**
   * Loads serialized rules, some perhaps when they are first needed.
   * @param form closed when all of it is loaded, or the rules are freed
   * @param globals those that they were compiled with
   */
  load(form: SerializedRules, globals: readonly string[]): EngineRules;
}

/** A scan that took longer than it may. */
export class ScanTimeout extends Error {
  override readonly name = 'ScanTimeout';
}
