// The instance behind YARA-X as WebAssembly, and its exchange for a new one where it cannot be trusted any more. Knows no
// rules.
import { readFileSync } from 'node:fs';
import { initSync } from '@virustotal/yara-x';

type Exports = Record<string, WebAssembly.ExportValue>;

/** Ends of JavaScript's objects for what they stood for in the engine, and how each is told from a call of `free`. */
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
  /** How many instances there were before. What was made by one means nothing to the next. */
  generation = 0;

  /** The package gives out its imports only to the instance that it makes, and makes one for good. */
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

  /** What the engine holds of JavaScript's objects. */
  get held(): WebAssembly.Table {
    return this.#exports.__wbindgen_externrefs as WebAssembly.Table;
  }

  /** Begins anew, without anything that was made so far. */
  replace(): void {
    // The package keeps a view of the memory for as long as it is attached.
    (this.#exports.memory as WebAssembly.Memory).grow(0);
    const { exports } = new WebAssembly.Instance(this.#module, this.#imports);
    Object.assign(this.#exports, exports);
    // Objects of the old instance end sooner or later, at addresses where the new one has something else.
    for (const [name, isFinalizer] of Object.entries(finalizers)) {
      const end = exports[name] as (...given: unknown[]) => unknown;
      this.#exports[name] = (...given: unknown[]) => (isFinalizer(given) ? undefined : end(...given));
    }
    this.generation += 1;
    (this.#exports.__wbindgen_start as () => void)();
  }
}
