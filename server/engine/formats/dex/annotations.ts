// The annotations of a class, its fields, methods and parameters. Knows no notation.
//
// https://source.android.com/docs/core/runtime/dex-format#annotations-directory
import type { Dex } from './dex.ts';
import { type EncodedAnnotation, type EncodedValue, EncodedValueReader } from './encoded-value.ts';

export interface Annotation extends EncodedAnnotation {
  readonly visibility: 'build' | 'runtime' | 'system';
}

export interface ClassAnnotations {
  readonly ofClass: readonly Annotation[];
  readonly ofFields: ReadonlyMap<number, readonly Annotation[]>;
  readonly ofMethods: ReadonlyMap<number, readonly Annotation[]>;
  /** By method index, one list per parameter, as far as the file goes. */
  readonly ofParameters: ReadonlyMap<number, readonly (readonly Annotation[])[]>;
}

const visibilities = ['build', 'runtime', 'system'] as const;
/** Annotations on one element, and parameters of a method; both stay far below. */
const maxSetSize = 4096;
/** Bytes of a reference to an annotation or to a list of them. */
const referenceSize = 4;

/** The annotations in the directory at a file offset; nothing for offset 0. */
export function annotationsAt(dex: Dex, directoryOffset: number): ClassAnnotations {
  const reader = new AnnotationReader(dex);
  const ofFields = new Map<number, readonly Annotation[]>();
  const ofMethods = new Map<number, readonly Annotation[]>();
  const ofParameters = new Map<number, readonly (readonly Annotation[])[]>();
  if (directoryOffset === 0) return { ofClass: [], ofFields, ofMethods, ofParameters };
  const u32 = (offset: number) => reader.u32(offset);
  const ofClass = reader.set(u32(directoryOffset));
  let at = directoryOffset + 16;
  const entries = (count: number, visit: (index: number, offset: number) => void) => {
    const room = Math.max(0, Math.floor((dex.bytes.length - at) / 8));
    if (count > room) reader.report(at, `${count} annotated elements, room for ${room}`);
    for (let left = Math.min(count, room); left > 0; left--, at += 8) visit(u32(at), u32(at + 4));
  };
  entries(u32(directoryOffset + 4), (index, offset) => ofFields.set(index, reader.set(offset)));
  entries(u32(directoryOffset + 8), (index, offset) => ofMethods.set(index, reader.set(offset)));
  entries(u32(directoryOffset + 12), (index, offset) => ofParameters.set(index, reader.setList(offset)));
  return { ofClass, ofFields, ofMethods, ofParameters };
}

class AnnotationReader {
  readonly #dex: Dex;
  readonly #values: EncodedValueReader;
  /** The same set often stands at many elements, and the same list of sets at many methods. */
  readonly #sets = new Map<number, readonly Annotation[]>();
  readonly #setLists = new Map<number, readonly (readonly Annotation[])[]>();
  /** Each list is read once: only lists that lie over each other hold more than the file has room for. */
  #referencesLeft: number;

  constructor(dex: Dex) {
    this.#dex = dex;
    this.#values = new EncodedValueReader(dex);
    this.#referencesLeft = Math.floor(dex.bytes.length / referenceSize);
  }

  report(offset: number, evidence: string): void {
    this.#dex.findings.add('dex-annotations', `${this.#dex.where}:0x${offset.toString(16)}`, evidence);
  }

  u32(offset: number): number {
    if (offset + 4 <= this.#dex.bytes.length) return this.#dex.view.getUint32(offset, true);
    this.report(offset, 'outside the file');
    return 0;
  }

  #offsets(offset: number): number[] {
    const declared = this.u32(offset);
    const room = Math.max(0, Math.floor((this.#dex.bytes.length - offset) / referenceSize) - 1);
    const count = Math.min(declared, room, maxSetSize, this.#referencesLeft);
    if (count < declared) this.report(offset, `a list of ${declared}, ${count} read`);
    this.#referencesLeft -= count;
    return Array.from({ length: count }, (_, index) => this.u32(offset + (index + 1) * referenceSize));
  }

  set(offset: number): readonly Annotation[] {
    if (offset === 0) return [];
    const known = this.#sets.get(offset);
    if (known !== undefined) return known;
    const annotations = this.#offsets(offset)
      .filter((item) => item !== 0)
      .map((item): Annotation => {
        const visibility = visibilities[this.#dex.bytes[item] ?? 0];
        if (visibility === undefined) this.report(item, `visibility ${this.#dex.bytes[item]}`);
        return { visibility: visibility ?? 'build', ...this.#values.annotationAt(item + 1) };
      });
    this.#sets.set(offset, annotations);
    return annotations;
  }

  setList(offset: number): readonly (readonly Annotation[])[] {
    if (offset === 0) return [];
    const known = this.#setLists.get(offset);
    if (known !== undefined) return known;
    const sets = this.#offsets(offset).map((set) => this.set(set));
    this.#setLists.set(offset, sets);
    return sets;
  }
}

/** The element of a system annotation of a class or member. */
export function systemValue(
  dex: Dex,
  annotations: readonly Annotation[],
  name: string,
  element = 'value',
): EncodedValue | null {
  for (const { visibility, typeIndex, elements } of annotations) {
    if (visibility !== 'system' || dex.type(typeIndex) !== `Ldalvik/annotation/${name};`) continue;
    for (const { nameIndex, value } of elements) if (dex.string(nameIndex) === element) return value;
  }
  return null;
}
