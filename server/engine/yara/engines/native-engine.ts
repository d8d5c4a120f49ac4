// YARA-X as a native addon, where the platform has one and the process may load it. Knows rules and bytes only.
import { createRequire } from 'node:module';
import { releaseBytes } from '../released-bytes.ts';
import { readDiagnostics } from './diagnostic-text.ts';
import {
  type EngineMatch,
  type EngineRules,
  type GlobalValues,
  initialValues,
  ScanTimeout,
  type YaraEngine,
} from './engine.ts';

interface NativeRules {
  addRuleSources(sources: { source: string; namespace: string }[]): void;
  scan(bytes: Buffer, variables?: GlobalValues): NativeMatch[];
  serialize(): Buffer;
  setMaxMatchesPerPattern(count: number): void;
  setTimeout(milliseconds: number): void;
}

interface NativeMatch {
  ruleIdentifier: string;
  namespace: string;
  tags: string[];
  meta: EngineMatch['metadata'];
  matches: { identifier: string; offset: number; length: number }[];
}

interface NativeAddon {
  compile(source: string, options: { defineVariables: GlobalValues }): NativeRules;
  deserialize(bytes: Buffer): NativeRules;
  validate(
    source: string,
    options: { defineVariables: GlobalValues },
  ): { errors: { message: string }[]; warnings: { message: string }[] };
}

/** What the addon's errors have as their code for a scan past its time, and for nothing else. */
const timeoutCode = 'Cancelled';
/** By platform and processor, the package that holds the addon; each is an optional dependency. */
const packages: Readonly<Record<string, string>> = { 'linux-x64': '@litko/yara-x-linux-x64-gnu' };
/**
 * Rules that the addon compiled have all globals set again before every scan, deserialized rules keep them. With more
 * globals than this it is cheaper to serialize and load the rules once.
 */
const maxRepeatedGlobals = 16;

/** The engine, or null where there is no addon or the process may not load one. */
export function openNativeEngine(): YaraEngine | null {
  const name = packages[`${process.platform}-${process.arch}`];
  if (name === undefined) return null;
  let addon: NativeAddon;
  let version: string;
  try {
    const require = createRequire(import.meta.url);
    addon = require(name) as NativeAddon;
    version = (require(`${name}/package.json`) as { version: string }).version;
  } catch {
    // Not installed, made for another libc, or refused by the process's permissions: WebAssembly does the same work.
    return null;
  }
  return {
    name: 'native',
    version: `native ${version}`,
    scanTime: 0,
    check(text, globals) {
      const { errors, warnings } = addon.validate(text, { defineVariables: initialValues(globals) });
      return readDiagnostics(
        errors.map(({ message }) => message),
        warnings.map(({ message }) => message),
      );
    },
    compile(sources, globals, maxMatches) {
      const rules = addon.compile('', { defineVariables: initialValues(globals) });
      rules.addRuleSources(sources.map(({ text, namespace }) => ({ source: text, namespace })));
      const isRepeated = globals.length <= maxRepeatedGlobals;
      const kept = isRepeated ? rules : addon.deserialize(rules.serialize());
      if (maxMatches !== undefined) kept.setMaxMatchesPerPattern(maxMatches);
      return new NativeEngineRules(kept, globals);
    },
    load(form, globals) {
      const bytes = form.read(0);
      form.close();
      const rules = addon.deserialize(asBuffer(bytes));
      releaseBytes(bytes);
      return new NativeEngineRules(rules, globals);
    },
  };
}

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Texts that the addon takes for a number or a truth value. */
const noText = /^(?:[-+]?\d+|true|false)$/i;

/** Makes such a text one by a zero byte at its end. Conditions hardly see it: comparisons with texts are globals of their own. */
const asTexts = (values: GlobalValues): GlobalValues =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' && noText.test(value) ? `${value}\0` : value,
    ]),
  );

/** Only the values that differ from those of the file before: most comparisons with a file's name come out the same. */
function changedSince(before: GlobalValues, values: GlobalValues): GlobalValues {
  const changed: Record<string, GlobalValues[string]> = {};
  for (const name of Object.keys(values)) if (values[name] !== before[name]) changed[name] = values[name]!;
  return changed;
}

class NativeEngineRules implements EngineRules {
  readonly #rules: NativeRules;
  readonly #names: readonly string[];
  #timeout = 0;
  #globals: GlobalValues | null = null;
  #values: GlobalValues = {};
  /** Those of the file before. */
  #ofFile: GlobalValues = {};

  constructor(rules: NativeRules, names: readonly string[]) {
    this.#rules = rules;
    this.#names = names;
  }

  scan(bytes: Uint8Array, globals: GlobalValues, timeoutMs: number, ofFile?: GlobalValues): EngineMatch[] {
    if (this.#timeout !== timeoutMs) {
      // The addon builds a new scanner then, some 0.2 ms: a hundred times what a small file costs.
      this.#rules.setTimeout(timeoutMs);
      this.#timeout = timeoutMs;
      this.#globals = null;
    }
    try {
      return this.#scanWith(asBuffer(bytes), globals, ofFile).map(
        ({ ruleIdentifier, namespace, tags, meta, matches }) => ({
          namespace,
          rule: ruleIdentifier,
          tags,
          metadata: meta,
          strings: matches.map(({ identifier, offset, length }) => ({ identifier, offset, length })),
        }),
      );
    } catch (error) {
      // The addon has dropped its scanner, and the globals with it.
      this.#globals = null;
      throw (error as NodeJS.ErrnoException).code === timeoutCode
        ? new ScanTimeout('the scan took longer than it may')
        : error;
    }
  }

  #scanWith(bytes: Buffer, globals: GlobalValues, ofFile: GlobalValues | undefined): NativeMatch[] {
    const isNew = this.#globals !== globals;
    if (isNew) {
      this.#globals = globals;
      this.#values = { ...initialValues(this.#names), ...globals };
    }
    const isKnown = this.#names.length === 0 || (!isNew && this.#names.length > maxRepeatedGlobals);
    if (ofFile !== undefined) {
      const values = isKnown ? changedSince(this.#ofFile, ofFile) : { ...this.#values, ...ofFile };
      this.#ofFile = ofFile;
      return this.#rules.scan(bytes, asTexts(values));
    }
    return isKnown ? this.#rules.scan(bytes) : this.#rules.scan(bytes, this.#values);
  }

  serialize(): Uint8Array[] {
    return [this.#rules.serialize()];
  }

  free(): void {
    // The garbage collector frees what the addon holds.
  }
}
