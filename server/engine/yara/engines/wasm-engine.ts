// YARA-X as WebAssembly, on every platform. Knows rules and bytes only.
import { Compiler, type Rules, type Scanner } from '@virustotal/yara-x';
import { readDiagnostics } from './diagnostic-text.ts';
import {
  type EngineDiagnostics,
  type EngineMatch,
  type EngineRules,
  type EngineSource,
  type GlobalValues,
  initialValues,
  type YaraEngine,
} from './engine.ts';
import { WasmInstance } from './wasm-instance.ts';
import { endedAfter } from './watched-run.ts';

interface WasmMatch {
  identifier: string;
  namespace: string;
  tags: string[];
  metadata: { identifier: string; value: string | number | bigint | boolean }[];
  patterns: { identifier: string; isPrivate: boolean; matches: { offset: number; length: number }[] }[];
}

/** One in a process; null until it is loaded. */
let instance: WasmInstance | null = null;
/** Scans after which the instances that the engine keeps are released. */
const releaseInterval = 256;
let scansSinceRelease = 0;

/** Loads the engine once in a process. */
export function openWasmEngine(): YaraEngine {
  instance ??= new WasmInstance();
  const opened = instance;
  return {
    name: 'wasm',
    version: 'wasm',
    // It instantiates the conditions for every scan, some 5 ms.
    scanTime: 10,
    check: (text, globals) => check(opened, text, globals),
    compile: (sources, globals, maxMatches) =>
      new WasmRules(opened, () => compile(opened, sources, globals), maxMatches),
    load,
  };
}

/**
 * YARA-X 1.20 keeps the instance of its conditions after every scan, with 70 kB of memory, and fails for good after some
 * 13,000 of them. Between scans none is in use.
 */
function releaseInstances({ held }: WasmInstance): void {
  scansSinceRelease += 1;
  if (scansSinceRelease < releaseInterval) return;
  scansSinceRelease = 0;
  for (let index = 0; index < held.length; index++) {
    if (held.get(index) instanceof WebAssembly.Instance) held.set(index, undefined);
  }
}

function load(): never {
  throw new Error('this engine has no serialized form');
}

function compilerWith(globals: readonly string[]): Compiler {
  const compiler = new Compiler();
  for (const [name, value] of Object.entries(initialValues(globals))) compiler.defineGlobal(name, value);
  return compiler;
}

/** For rules that crash the compiler: they are refused, and the instance is replaced. */
const failure = 'error: YARA-X fails on these rules';

function check(instance: WasmInstance, text: string, globals: readonly string[]): EngineDiagnostics {
  const compiler = compilerWith(globals);
  try {
    const refused = refusalOf(compiler, text);
    const { errors, warnings } = compiler;
    compiler.free();
    // Usually the error that is thrown is among those that the compiler keeps.
    return refused !== null && errors.length === 0 ? readDiagnostics([refused], []) : readDiagnostics(errors, warnings);
  } catch (error) {
    if (!isTrap(error)) throw error;
    instance.replace();
    return readDiagnostics([failure], []);
  }
}

function refusalOf(compiler: Compiler, text: string): string | null {
  try {
    compiler.addSource(text);
    return null;
  } catch (error) {
    if (isTrap(error)) throw error;
    return (error as Error).message;
  }
}

function compile(instance: WasmInstance, sources: readonly EngineSource[], globals: readonly string[]): Rules {
  const compiler = compilerWith(globals);
  try {
    for (const { namespace, text } of sources) {
      compiler.newNamespace(namespace);
      compiler.addSource(text);
    }
    const rules = compiler.build();
    compiler.free();
    return rules;
  } catch (error) {
    if (!isTrap(error)) {
      compiler.free();
      throw error;
    }
    instance.replace();
    throw new Error(failure);
  }
}

const isTrap = (error: unknown): boolean => error instanceof WebAssembly.RuntimeError || error instanceof RangeError;

class WasmRules implements EngineRules {
  readonly #instance: WasmInstance;
  readonly #compile: () => Rules;
  readonly #maxMatches: number | undefined;
  #rules: Rules;
  /** Of the instance that compiled the rules. */
  #generation: number;
  #scanner: Scanner | null = null;
  #globals: GlobalValues | null = null;
  /** Those of the file before. */
  #ofFile: GlobalValues = {};

  constructor(instance: WasmInstance, compile: () => Rules, maxMatches: number | undefined) {
    this.#instance = instance;
    this.#compile = compile;
    this.#maxMatches = maxMatches;
    this.#rules = compile();
    this.#generation = instance.generation;
  }

  scan(bytes: Uint8Array, globals: GlobalValues, timeoutMs: number, ofFile: GlobalValues = {}): EngineMatch[] {
    this.#renew();
    releaseInstances(this.#instance);
    try {
      const scanner = this.#scannerFor(globals);
      for (const [name, value] of Object.entries(ofFile)) {
        if (this.#ofFile[name] !== value) scanner.setGlobal(name, value);
      }
      this.#ofFile = ofFile;
      // The engine has a timeout of its own and no clock to keep it by.
      const { matches } = endedAfter(timeoutMs, () => scanner.scan(bytes)) as { matches: WasmMatch[] };
      return matches.map(matchOf);
    } catch (error) {
      // It was interrupted in the middle of whatever it did.
      this.#instance.replace();
      throw error;
    }
  }

  /** Compiles the rules again where their instance was replaced. */
  #renew(): void {
    if (this.#generation === this.#instance.generation) return;
    this.#scanner = null;
    this.#rules = this.#compile();
    this.#generation = this.#instance.generation;
  }

  #scannerFor(globals: GlobalValues): Scanner {
    if (this.#scanner !== null && this.#globals === globals) return this.#scanner;
    this.#scanner?.free();
    const scanner = this.#rules.scanner();
    this.#scanner = scanner;
    this.#ofFile = {};
    for (const [name, value] of Object.entries(globals)) scanner.setGlobal(name, value);
    if (this.#maxMatches !== undefined) scanner.setMaxMatchesPerPattern(this.#maxMatches);
    this.#globals = globals;
    return scanner;
  }

  serialize(): null {
    return null;
  }

  free(): void {
    if (this.#generation !== this.#instance.generation) return;
    this.#scanner?.free();
    this.#rules.free();
  }
}

function matchOf({ identifier, namespace, tags, metadata, patterns }: WasmMatch): EngineMatch {
  return {
    namespace,
    rule: identifier,
    tags,
    metadata: Object.fromEntries(
      metadata.map((entry) => [entry.identifier, typeof entry.value === 'bigint' ? Number(entry.value) : entry.value]),
    ),
    strings: patterns.flatMap((pattern) =>
      pattern.isPrivate
        ? []
        : pattern.matches.map(({ offset, length }) => ({ identifier: pattern.identifier, offset, length })),
    ),
  };
}
