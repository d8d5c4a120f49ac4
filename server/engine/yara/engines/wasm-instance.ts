// The instance behind YARA-X as WebAssembly, and its exchange for a new one where it cannot be trusted any more. Knows no
// rules.
import { readFileSync } from 'node:fs';
import { initSync } from '@virustotal/yara-x';

type Exports = Record<string, WebAssembly.ExportValue>;

/** The engine's functions that free what a JavaScript object stood for, and how a finalizer's call is told from one of `free`. */
const finalizers: Readonly<Record<string, (argumentsGiven: readonly unknown[]) => boolean>> = {
  __wbg_compiler_free: ([, isFinal]) => isFinal === 1,
  __wbg_rules_free: ([, isFinal]) => isFinal === 1,
  __wbg_scanner_free: ([, isFinal]) => isFinal === 1,
  __wbindgen_destroy_closure_command_export: () => true,
};

export class WasmInstance {
  readonly #module: WebAssembly.Module;
  readonly #imports: WebAssembly.Imports;
  /** What the package calls; an object of its own, so that another instance can stand behind it. */
  readonly #exports: Exports;
  /** How many instances there were before. Objects of one must not be used with another. */
  generation = 0;

  /** The package makes one instance and hands its imports to nobody else: they are caught on the way. */
  constructor() {
    this.#module = new WebAssembly.Module(
      readFileSync(new URL('yara_x_js_bg.wasm', import.meta.resolve('@virustotal/yara-x'))),
    );
    const { Instance } = WebAssembly;
    let imports: WebAssembly.Imports = {};
    const exports: Exports = {};
    class KeepingInstance {
      readonly exports = exports;

      constructor(module: WebAssembly.Module, given: WebAssembly.Imports) {
        imports = given;
        Object.assign(exports, new Instance(module, given).exports);
      }
    }
    WebAssembly.Instance = KeepingInstance as typeof Instance;
    try {
      initSync({ module: this.#module });
    } finally {
      WebAssembly.Instance = Instance;
    }
    this.#imports = imports;
    this.#exports = exports;
  }

  /** The engine's table of JavaScript objects. */
  get held(): WebAssembly.Table {
    return this.#exports.__wbindgen_externrefs as WebAssembly.Table;
  }

  /** Puts a new instance in place of the old one; everything made so far is lost. */
  replace(): void {
    // The package keeps a view of the memory for as long as it is attached.
    (this.#exports.memory as WebAssembly.Memory).grow(0);
    const { exports } = new WebAssembly.Instance(this.#module, this.#imports);
    Object.assign(this.#exports, exports);
    // Finalizers of the old instance's objects still run, and must not free what the new one has at their addresses.
    for (const [name, isFinalizer] of Object.entries(finalizers)) {
      const end = exports[name] as (...given: unknown[]) => unknown;
      this.#exports[name] = (...given: unknown[]) => (isFinalizer(given) ? undefined : end(...given));
    }
    this.generation += 1;
    (this.#exports.__wbindgen_start as () => void)();
  }
}
