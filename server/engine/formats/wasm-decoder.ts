// Decoders of pictures that are written in C and run as WebAssembly. Knows no format.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** What all such decoders have. */
interface CFunctions {
  memory: WebAssembly.Memory;
  malloc(size: number): number;
}

/** What C asks of its surroundings when it starts, and before it may fail. Whatever else it asks for ends it. */
const answered: Readonly<Record<string, () => number>> = { setjmp: () => 0, environ_sizes_get: () => 0 };

/** A decoder with the memory of one picture. */
export class DecoderInstance<Functions> {
  readonly functions: Functions & CFunctions;

  constructor(module: WebAssembly.Module) {
    const imports: Record<string, Record<string, () => number>> = {};
    for (const { module: from, name } of WebAssembly.Module.imports(module)) {
      const ended = () => {
        throw new WebAssembly.RuntimeError(`the decoder asked for ${name}`);
      };
      imports[from] ??= {};
      imports[from][name] = answered[name] ?? ended;
    }
    this.functions = new WebAssembly.Instance(module, imports).exports as unknown as Functions & CFunctions;
  }

  /** Where bytes stand now. */
  put(bytes: Uint8Array): number {
    const place = this.functions.malloc(bytes.length);
    new Uint8Array(this.functions.memory.buffer, place, bytes.length).set(bytes);
    return place;
  }

  /** A copy of what stands there. */
  bytes(place: number, length: number): Uint8Array {
    return Uint8Array.from(new Uint8Array(this.functions.memory.buffer, place, length));
  }

  words(place: number, count: number): Uint32Array {
    return Uint32Array.from(new Uint32Array(this.functions.memory.buffer, place, count));
  }
}

/** A decoder that is compiled when it is first needed. Each picture gets an instance of its own, so that none leaves anything to the next. */
export class WasmDecoder<Functions> {
  readonly #path: string;
  #module: WebAssembly.Module | null = null;

  /** @param path of a package's file: `package/decoder.wasm` */
  constructor(path: string) {
    this.#path = path;
  }

  open(): DecoderInstance<Functions> {
    this.#module ??= new WebAssembly.Module(readFileSync(createRequire(import.meta.url).resolve(this.#path)));
    return new DecoderInstance<Functions>(this.#module);
  }
}
