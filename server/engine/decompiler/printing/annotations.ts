// Writes annotations and constants of fields as Java. Knows no code.
import type { Annotation } from '../../formats/dex/annotations.ts';
import type { Dex } from '../../formats/dex/dex.ts';
import type { EncodedAnnotation, EncodedValue } from '../../formats/dex/encoded-value.ts';
import type { Expression } from '../expressions/tree.ts';
import { type ExpressionPlace, ExpressionPrinter } from './expressions.ts';
import { commentText, identifier } from './identifiers.ts';

const accAnnotation = 0x2000;
/** What Kotlin's compiler notes for itself: pages of it at each class, in a notation of its own. */
const kotlinMetadata = 'Lkotlin/Metadata;';

/** A number, text or class with its type; null for what is none of these. */
export function constantOf(dex: Dex, value: EncodedValue): { constant: Expression; type: string } | null {
  const at = 0;
  const number = (bits: number, type: string) => ({ constant: { kind: 'number', value: bits, at } as const, type });
  const wide = (bits: bigint, type: string) => ({ constant: { kind: 'wide', value: bits, at } as const, type });
  switch (value.kind) {
    case 'byte':
      return number(value.value, 'B');
    case 'short':
      return number(value.value, 'S');
    case 'char':
      return number(value.value, 'C');
    case 'int':
      return number(value.value, 'I');
    case 'boolean':
      return number(value.value ? 1 : 0, 'Z');
    case 'float':
      return number(new Int32Array(Float32Array.of(value.value).buffer)[0]!, 'F');
    case 'long':
      return wide(value.value, 'J');
    case 'double':
      return wide(new BigInt64Array(Float64Array.of(value.value).buffer)[0]!, 'D');
    case 'string':
      return { constant: { kind: 'string', value: dex.string(value.index), at }, type: 'Ljava/lang/String;' };
    case 'type':
      return { constant: { kind: 'class', type: dex.type(value.index), at }, type: 'Ljava/lang/Class;' };
    default:
      return null;
  }
}

export class AnnotationPrinter {
  readonly #place: ExpressionPlace;
  readonly #dex: Dex;

  constructor(place: ExpressionPlace, dex: Dex) {
    this.#place = place;
    this.#dex = dex;
  }

  /**
   * Those of a class or member, each type once, and none of the system's own.
   * @param end written behind each
   */
  write(annotations: readonly Annotation[], end: () => void): void {
    const { writer } = this.#place;
    const written = new Set<string>();
    for (const annotation of annotations) {
      const type = this.#dex.type(annotation.typeIndex);
      if (annotation.visibility === 'system' || written.has(type)) continue;
      written.add(type);
      if (type === kotlinMetadata) writer.text('/* Kotlin */');
      else if (!this.#canBeWritten(annotation))
        writer.text(`/* @${commentText(type)}, which Java cannot write here */`);
      else this.#one(annotation);
      end();
    }
  }

  /** What a method of an annotation type answers where nothing is given. @returns whether there is something */
  writeDefault(value: EncodedValue): boolean {
    if (!this.#isValue(value)) return false;
    this.#place.writer.text(' default ');
    this.#value(value);
    return true;
  }

  #canBeWritten({ typeIndex, elements }: EncodedAnnotation): boolean {
    const { program } = this.#place;
    const type = this.#dex.type(typeIndex);
    if (!type.startsWith('L')) return false;
    const known = program.classOf(type);
    if (known !== null && (known.dex.classDef(known.classIndex).accessFlags & accAnnotation) === 0) return false;
    return elements.every(({ value }) => this.#isValue(value));
  }

  #isValue(value: EncodedValue): boolean {
    if (value.kind === 'array') return value.values.every((item) => item.kind !== 'array' && this.#isValue(item));
    if (value.kind === 'annotation') return this.#canBeWritten(value.annotation);
    return value.kind === 'enum' || constantOf(this.#dex, value) !== null;
  }

  #one({ typeIndex, elements }: EncodedAnnotation): void {
    const { writer, names } = this.#place;
    writer.text('@');
    names.write(writer, this.#dex.type(typeIndex));
    const [first] = elements;
    if (first === undefined) return;
    writer.text('(');
    if (elements.length === 1 && this.#dex.string(first.nameIndex) === 'value') this.#value(first.value);
    else {
      for (const [index, { nameIndex, value }] of elements.entries()) {
        if (index > 0) writer.text(', ');
        writer.text(`${identifier(this.#dex.string(nameIndex))} = `);
        this.#value(value);
      }
    }
    writer.text(')');
  }

  #value(value: EncodedValue): void {
    const { writer, names, program } = this.#place;
    switch (value.kind) {
      case 'annotation':
        this.#one(value.annotation);
        return;
      case 'array':
        writer.text('{');
        for (const [index, item] of value.values.entries()) {
          if (index > 0) writer.text(', ');
          this.#value(item);
        }
        writer.text('}');
        return;
      case 'enum': {
        const [owner, name] = [this.#dex.fieldClass(value.index), this.#dex.fieldName(value.index)];
        names.write(writer, owner);
        const shown = program.fieldName(owner, name, this.#dex.fieldType(value.index));
        writer.text('.').symbol(shown, this.#dex.field(value.index));
        return;
      }
      default: {
        const { constant, type } = constantOf(this.#dex, value)!;
        new ExpressionPrinter(this.#place).write(constant, type);
      }
    }
  }
}
