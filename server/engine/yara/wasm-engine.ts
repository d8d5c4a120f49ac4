// YARA-X as WebAssembly, on every platform. Knows rules and bytes only.
import { readFileSync } from 'node:fs';
import { Compiler, initSync, type Rules, type Scanner } from '@virustotal/yara-x';
import {
  type EngineMatch,
  type EngineRules,
  type GlobalValues,
  initialValues,
  isTimeout,
  ScanTimeout,
  type YaraEngine,
} from './engine.ts';

interface WasmMatch {
  identifier: string;
  namespace: string;
  tags: string[];
  metadata: { identifier: string; value: string | number | bigint | boolean }[];
  patterns: { identifier: string; matches: { offset: number; length: number }[] }[];
}

/** What the engine holds of JavaScript's objects; null until it is loaded. */
let held: WebAssembly.Table | null = null;
/** Scans after which the engine's leftovers are released. */
const releaseInterval = 256;
let scansSinceRelease = 0;

/** Loads the engine once in a process. */
export function openWasmEngine(): YaraEngine {
  if (held === null) {
    const file = new URL('yara_x_js_bg.wasm', import.meta.resolve('@virustotal/yara-x'));
    held = initSync({ module: readFileSync(file) }).__wbindgen_externrefs;
  }
  return { name: 'wasm', version: 'wasm', check, compile, load };
}

/**
 * YARA-X 1.20 keeps the instance of its conditions after every scan, with 70 kB of memory, and fails for good after some
 * 13,000 of them. Between scans none is in use.
 */
function releaseInstances(): void {
  scansSinceRelease += 1;
  if (held === null || scansSinceRelease < releaseInterval) return;
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

function check(text: string, globals: readonly string[]): { errors: string[]; warnings: string[] } {
  const compiler = compilerWith(globals);
  try {
    compiler.addSource(text);
  } catch (error) {
    // The compiler keeps every error; only one that it does not keep must be told from here.
    if (compiler.errors.length === 0) return { errors: [(error as Error).message], warnings: [] };
  }
  const { errors, warnings } = compiler;
  compiler.free();
  return { errors, warnings };
}

function compile(
  sources: Parameters<YaraEngine['compile']>[0],
  globals: readonly string[],
  maxMatches?: number,
): EngineRules {
  const compiler = compilerWith(globals);
  try {
    for (const { namespace, text } of sources) {
      compiler.newNamespace(namespace);
      compiler.addSource(text);
    }
    return new WasmRules(compiler.build(), maxMatches);
  } finally {
    compiler.free();
  }
}

class WasmRules implements EngineRules {
  readonly #rules: Rules;
  readonly #maxMatches: number | undefined;
  #scanner: Scanner | null = null;
  #globals: GlobalValues | null = null;
  #timeout = 0;

  constructor(rules: Rules, maxMatches: number | undefined) {
    this.#rules = rules;
    this.#maxMatches = maxMatches;
  }

  scan(bytes: Uint8Array, globals: GlobalValues, timeoutMs: number, ofFile: GlobalValues = {}): EngineMatch[] {
    releaseInstances();
    try {
      const scanner = this.#scannerFor(globals, timeoutMs);
      for (const [name, value] of Object.entries(ofFile)) scanner.setGlobal(name, value);
      const { matches } = scanner.scan(bytes) as { matches: WasmMatch[] };
      return matches.map(matchOf);
    } catch (error) {
      this.#drop();
      throw isTimeout(error) ? new ScanTimeout('the scan took longer than it may') : error;
    }
  }

  #scannerFor(globals: GlobalValues, timeoutMs: number): Scanner {
    if (this.#scanner !== null && this.#globals === globals && this.#timeout === timeoutMs) return this.#scanner;
    this.#drop();
    const scanner = this.#rules.scanner();
    this.#scanner = scanner;
    for (const [name, value] of Object.entries(globals)) scanner.setGlobal(name, value);
    scanner.setTimeoutMs(timeoutMs);
    if (this.#maxMatches !== undefined) scanner.setMaxMatchesPerPattern(this.#maxMatches);
    this.#globals = globals;
    this.#timeout = timeoutMs;
    return scanner;
  }

  #drop(): void {
    const scanner = this.#scanner;
    this.#scanner = null;
    try {
      scanner?.free();
    } catch {
      // A scan that was torn out of it left it in use for ever; the error that did that is on its way already.
    }
  }

  serialize(): null {
    return null;
  }

  free(): void {
    this.#drop();
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
      pattern.matches.map(({ offset, length }) => ({ identifier: pattern.identifier, offset, length })),
    ),
  };
}
