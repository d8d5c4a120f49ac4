// A native library that is looked into: its bytes by address, its functions, what stands at an address. Knows no instruction.
import type { InstructionSet, NativeFunction } from '../../../contract/engine/native-code.ts';
import { Findings } from '../../findings.ts';
import { readDynamicSection } from '../../formats/elf/dynamic-section.ts';
import { ElfFile, segmentFlag, segmentType } from '../../formats/elf/elf-file.ts';
import { startAndEnd, unwoundFunctions } from '../../formats/elf/function-starts.ts';
import { decodeJniName } from '../../formats/elf/jni-name.ts';
import { type ProgramSymbols, pointerAt, readProgramSymbols, symbolType } from '../../formats/elf/program-symbols.ts';
import type { RegisteredMethod } from '../../formats/elf/registered-methods.ts';
import type { Memory } from './operands.ts';

/** A longer function without a size of its own is looked at up to here from where one starts. */
const maxFunctionLength = 1 << 20;
const maxFunctions = 300_000;
const maxStringLength = 300;
const maxNameLength = 2000;
const isPrintable = /^[\t\n\r\x20-\x7e\u00a0-\ud7ff\ue000-\ufffc]+$/u;

type Kind = Exclude<NativeFunction['kind'], 'import'>;
/** What says more of a function stands first. */
const kinds: readonly Kind[] = ['export', 'symbol', 'registered', 'start', 'unwound', 'called'];

interface Place {
  address: number;
  size: number;
  name: string;
  kind: Kind;
  /** Whether it is Thumb code; null where nothing says so. */
  isThumb: boolean | null;
  /** The Java method that it is registered for. */
  java: NativeFunction['java'];
}

interface Added extends Pick<Place, 'address' | 'name' | 'kind'> {
  size?: number;
  java?: NativeFunction['java'];
}

/** A stretch of the file that is loaded as code. */
interface CodeRange {
  start: number;
  end: number;
}

export class OpenedLibrary implements Memory {
  readonly file: ElfFile;
  readonly symbols: ProgramSymbols;
  isCut: boolean;
  readonly #dynamic: ReadonlyMap<number, number>;
  readonly #code: readonly CodeRange[];
  readonly #places = new Map<number, Place>();
  #sorted: Place[] | null = null;
  /** Where code of one kind begins, by address: `$a`, `$t`, `$d` of ARM and AArch64. */
  readonly #marks: { address: number; mark: string }[];
  readonly #objects: ReadonlyMap<number, string>;

  /** @throws FormatError `not-an-elf`, `truncated` */
  constructor(bytes: Uint8Array, path: string) {
    this.file = new ElfFile(bytes, path, new Findings());
    this.symbols = readProgramSymbols(this.file);
    this.isCut = this.symbols.isCut;
    this.#dynamic = readDynamicSection(this.file)?.values ?? new Map();
    this.#code = this.file.segments
      .filter(({ type, flags }) => type === segmentType.load && (flags & segmentFlag.execute) !== 0)
      .map(({ address, offset, fileSize }) => {
        const length = Math.max(0, Math.min(fileSize, bytes.length - offset));
        return { start: address, end: address + length };
      });
    this.#marks = this.symbols.all
      .filter(({ name }) => /^\$[atdx](?:\.|$)/.test(name))
      .map(({ value, name }) => ({ address: value, mark: name[1]! }))
      .sort((a, b) => a.address - b.address);
    const { dynamic, all } = this.symbols;
    const named = [...all, ...dynamic].filter(({ type, isDefined }) => type === symbolType.object && isDefined);
    this.#objects = new Map(named.map(({ value, name }) => [value, name]));
    this.#collect();
  }

  #collect(): void {
    const { dynamic, all, relocations } = this.symbols;
    const isFunction = ({ type }: { type: number }) => type === symbolType.function || type === symbolType.indirect;
    for (const [kind, table] of [['export', dynamic] as const, ['symbol', all] as const]) {
      for (const symbol of table) {
        if (!symbol.isDefined || symbol.value === 0 || !isFunction(symbol)) continue;
        const { name, value, size } = symbol;
        this.#add({ kind: kind === 'export' && !symbol.isGlobal ? 'symbol' : kind, name, address: value, size });
      }
    }
    for (const { name, address } of startAndEnd(this.file, relocations)) this.#add({ kind: 'start', name, address });
    if (this.file.entry !== 0) this.#add({ kind: 'start', name: '_start', address: this.file.entry });
    for (const address of unwoundFunctions(this.file)) this.#add({ kind: 'unwound', name: '', address });
  }

  /** A function that a call leads to. */
  addCalled(address: number): void {
    this.#add({ kind: 'called', name: '', address });
  }

  /** A function that the library gives to the virtual machine by itself. */
  addRegistered({ name, descriptor, address }: RegisteredMethod, owner: string | null): void {
    const parameters = descriptor.slice(1, descriptor.indexOf(')'));
    const java = owner === null ? null : { class: owner, method: name, parameters };
    this.#add({ kind: 'registered', name: `${name}${descriptor}`, address, java });
  }

  #add({ kind, name, address, size = 0, java = null }: Added): void {
    const isArm = this.file.machine === 40;
    // What only tables for unwinding name has no low bit.
    const tellsSet = isArm && (kind !== 'unwound' || address % 2 === 1);
    const start = isArm ? address - (address % 2) : address;
    if (this.codeRangeOf(start) === null) return;
    const known = this.#places.get(start);
    if (known === undefined) {
      if (this.#places.size >= maxFunctions) {
        this.isCut = true;
        return;
      }
      const isThumb = tellsSet ? address % 2 === 1 : null;
      this.#places.set(start, { address: start, size, name: name.slice(0, maxNameLength), kind, isThumb, java });
      this.#sorted = null;
      return;
    }
    if (known.name === '') known.name = name.slice(0, maxNameLength);
    if (known.size === 0) known.size = size;
    known.java ??= java;
    if (tellsSet) known.isThumb ??= address % 2 === 1;
    if (kinds.indexOf(kind) < kinds.indexOf(known.kind)) known.kind = kind;
  }

  get #byAddress(): Place[] {
    this.#sorted ??= [...this.#places.values()].sort((a, b) => a.address - b.address);
    return this.#sorted;
  }

  /** Every function that is known, by address. */
  get functions(): NativeFunction[] {
    return this.#byAddress.map((place) => this.#shown(place));
  }

  get functionAddresses(): number[] {
    return this.#byAddress.map(({ address }) => address);
  }

  functionAt(address: number): NativeFunction | null {
    const place = this.#places.get(address);
    return place === undefined ? null : this.#shown(place);
  }

  #shown(place: Place): NativeFunction {
    const { address, kind } = place;
    const name = place.name === '' ? `sub_${address.toString(16)}` : place.name;
    return {
      address,
      size: this.#endOf(place) - address,
      name,
      kind,
      java: place.java ?? (kind === 'export' ? decodeJniName(name) : null),
    };
  }

  /** The function that an address lies in. */
  functionAround(address: number): NativeFunction | null {
    const place = this.#before(address);
    return place !== undefined && address < this.#endOf(place) ? this.#shown(place) : null;
  }

  #before(address: number): Place | undefined {
    return this.#byAddress[indexBefore(this.#byAddress, address)];
  }

  /** What a symbol says, else where the next function starts. */
  #endOf(place: Place): number {
    const range = this.codeRangeOf(place.address)!;
    const next = this.#byAddress[indexBefore(this.#byAddress, place.address) + 1]?.address ?? range.end;
    const end = place.size > 0 ? place.address + place.size : next;
    return Math.min(end, range.end, place.address + maxFunctionLength);
  }

  codeRangeOf(address: number): CodeRange | null {
    return this.#code.find(({ start, end }) => address >= start && address < end) ?? null;
  }

  /** Null where the machine's instructions are none that can be shown. */
  setAt(address: number): InstructionSet | null {
    const { machine } = this.file;
    if (machine === 3) return 'x86';
    if (machine === 62) return 'x86-64';
    if (machine === 183) return 'arm64';
    if (machine !== 40) return null;
    const mark = this.#markAt(address);
    if (mark === 'a' || mark === 't') return mark === 'a' ? 'arm' : 'thumb';
    const place = this.#before(address);
    return (place?.isThumb ?? !this.#looksLikeArm(place?.address ?? address)) ? 'thumb' : 'arm';
  }

  /** Two words that are always carried out, as nearly all of A32 are: their highest four bits are 14. */
  #looksLikeArm(address: number): boolean {
    return address % 4 === 0 && [0, 4].every((offset) => (this.wordAt(address + offset) ?? 0) >>> 28 === 14);
  }

  #markAt(address: number): string | null {
    return this.#marks[indexBefore(this.#marks, address)]?.mark ?? null;
  }

  /** Stretches of code and of data between it, as its marks say. */
  stretches(start: number, end: number): { start: number; end: number; isData: boolean }[] {
    const found: { start: number; end: number; isData: boolean }[] = [];
    let at = start;
    let index = indexBefore(this.#marks, start);
    let isData = this.#marks[index]?.mark === 'd';
    while (at < end) {
      const next = this.#marks[++index];
      const stop = Math.min(end, next?.address ?? end);
      if (stop > at) found.push({ start: at, end: stop, isData });
      at = Math.max(at, stop);
      if (next === undefined) break;
      isData = next.mark === 'd';
    }
    return found;
  }

  bytesAt(start: number, end: number): Uint8Array {
    const offset = this.file.offsetOf(start);
    return offset === null ? new Uint8Array(0) : this.file.bytes.subarray(offset, offset + Math.max(0, end - start));
  }

  wordAt(address: number): number | null {
    const offset = this.file.offsetOf(address);
    return offset === null || offset + 4 > this.file.bytes.length ? null : this.file.u32(offset);
  }

  byteAt(address: number): number | null {
    const offset = this.file.offsetOf(address);
    return offset === null ? null : (this.file.bytes[offset] ?? null);
  }

  pointerAt(address: number): number | null {
    return pointerAt(this.file, address, this.symbols.relocations);
  }

  /** What the dynamic section says under a tag. */
  dynamicValue(key: number): number | null {
    return this.#dynamic.get(key) ?? null;
  }

  objectAt(address: number): string | null {
    return this.#objects.get(address) ?? null;
  }

  /** Text of two letters or more that ends with a NUL, cut; null where there is none. */
  stringAt(address: number): string | null {
    const offset = this.file.offsetOf(address);
    if (offset === null || offset >= this.file.bytes.length) return null;
    const window = this.file.bytes.subarray(offset, offset + maxStringLength);
    const end = window.indexOf(0);
    const text = Buffer.from(end < 0 ? window : window.subarray(0, end)).toString();
    return text.length > 1 && isPrintable.test(end < 0 ? text.slice(0, -3) : text) ? text : null;
  }
}

/** Of what is sorted by address, the last one that does not lie behind one; -1 where all do. */
function indexBefore(sorted: readonly { address: number }[], address: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]!.address <= address) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
