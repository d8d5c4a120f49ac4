// YARA-X as a native addon, where the platform has one and the process may load it. Knows rules and bytes only.
import { createRequire } from 'node:module';
import { type EngineMatch, type EngineRules, isTimeout, ScanTimeout, type YaraEngine } from './engine.ts';

interface NativeRules {
  addRuleSources(sources: { source: string; namespace: string }[]): void;
  scan(bytes: Buffer, variables?: Record<string, number>): NativeMatch[];
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
  compile(source: string, options: { defineVariables: Record<string, number> }): NativeRules;
  validate(
    source: string,
    options: { defineVariables: Record<string, number> },
  ): { errors: { message: string }[]; warnings: { message: string }[] };
}

/** By platform and processor, the package that holds the addon; each is an optional dependency. */
const packages: Readonly<Record<string, string>> = { 'linux-x64': '@litko/yara-x-linux-x64-gnu' };

/** The engine, or null where there is no addon or the process may not load one. */
export function openNativeEngine(): YaraEngine | null {
  const name = packages[`${process.platform}-${process.arch}`];
  if (name === undefined) return null;
  let addon: NativeAddon;
  try {
    addon = createRequire(import.meta.url)(name) as NativeAddon;
  } catch {
    // Not installed, made for another libc, or refused by the process's permissions: WebAssembly does the same work.
    return null;
  }
  return {
    name: 'native',
    check(text, globals) {
      const { errors, warnings } = addon.validate(text, { defineVariables: zeros(globals) });
      return { errors: errors.map(({ message }) => message), warnings: warnings.map(({ message }) => message) };
    },
    compile(sources, globals) {
      const rules = addon.compile('', { defineVariables: zeros(globals) });
      rules.addRuleSources(sources.map(({ text, namespace }) => ({ source: text, namespace })));
      return new NativeEngineRules(rules);
    },
  };
}

const zeros = (names: readonly string[]): Record<string, number> => Object.fromEntries(names.map((name) => [name, 0]));

class NativeEngineRules implements EngineRules {
  readonly #rules: NativeRules;

  constructor(rules: NativeRules) {
    this.#rules = rules;
  }

  scan(bytes: Uint8Array, globals: Readonly<Record<string, number>>, timeoutMs: number): EngineMatch[] {
    this.#rules.setTimeout(timeoutMs);
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const isPlain = Object.keys(globals).length === 0;
    try {
      const matches = isPlain ? this.#rules.scan(buffer) : this.#rules.scan(buffer, globals as Record<string, number>);
      return matches.map(({ ruleIdentifier, namespace, tags, meta, matches: strings }) => ({
        namespace,
        rule: ruleIdentifier,
        tags,
        metadata: meta,
        strings: strings.map(({ identifier, offset, length }) => ({ identifier, offset, length })),
      }));
    } catch (error) {
      throw isTimeout(error) ? new ScanTimeout('the scan took longer than it may') : error;
    }
  }

  free(): void {
    // The garbage collector frees what the addon holds.
  }
}
