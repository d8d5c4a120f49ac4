// What a method does, as a hash that renaming leaves alone: operations, constants, what it calls of the platform. Knows no app.
import { createHash } from 'node:crypto';
import { codeAt } from '../formats/dex/code-item.ts';
import type { Dex } from '../formats/dex/dex.ts';
import { type Instruction, instructionsOf } from '../formats/dex/instruction.ts';
import { callSiteAt } from '../formats/dex/method-handle.ts';
import { type IndexKind, opcodes } from '../formats/dex/opcodes.ts';
import { smaliMethodHandle, smaliValue } from '../formats/dex/smali-literal.ts';

export interface MethodFingerprint {
  /** The same for methods that differ in names of the app's own classes and members, and in registers. */
  readonly shape: string;
  /** The same for methods whose code is written the same, names and registers included. */
  readonly exact: string;
  readonly instructions: number;
}

/** Instructions that only differ in how wide their operands are written, by the lowest opcode of them. */
const operationOf = (() => {
  const lowest = new Map<string, number>();
  return Uint8Array.from(opcodes, ({ mnemonic, value, isUnused }) => {
    const [name = ''] = isUnused ? [`unused-${value}`] : mnemonic.split('/');
    if (!lowest.has(name)) lowest.set(name, value);
    return lowest.get(name)!;
  });
})();

/** What no app renames. */
export const ofPlatform = /^(?:\[|[^L[]$|L(?:android|java|javax|dalvik|org\/(?:json|xml|w3c|xmlpull|apache\/http))\/)/;

/** Characters of what a call site is bound to. */
const maxCallSite = 4096;

/** As short as no chance needs it longer. */
export const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22);

/** Parameters and result with every class of the app written alike: `(IL)Ljava/lang/String;`. */
export const shapeOfTypes = (descriptor: string, isOwn: (type: string) => boolean): string =>
  descriptor.replace(/L[^;]*;/g, (type) => (isOwn(type) ? 'L' : type));

export class MethodFingerprints {
  readonly #dex: Dex;
  readonly #isOwn: (type: string) => boolean;
  readonly #constantName: (value: number) => string | null;
  readonly #tokens = new Map<IndexKind, Map<number, { shape: string; exact: string }>>();
  readonly #known = new Map<number, MethodFingerprint>();
  #unitsLeft: number;

  /**
   * @param isOwn whether the app defines a class: its name may be another in the next build
   * @param constantName the name of a resource id, whose number is another in the next build
   */
  constructor(dex: Dex, isOwn: (type: string) => boolean, constantName: (value: number) => string | null) {
    this.#dex = dex;
    this.#isOwn = isOwn;
    this.#constantName = constantName;
    // Methods that overlap on purpose take no longer than some times the file.
    this.#unitsLeft = Math.max(1024, dex.units.length * 4);
  }

  /** Whether some code was too much to be looked at. */
  get isSpent(): boolean {
    return this.#unitsLeft < 0;
  }

  /** null where there is no code, or too much of it was looked at. Methods that share code are read once. */
  of(codeOffset: number): MethodFingerprint | null {
    const known = this.#known.get(codeOffset);
    if (known !== undefined) return known;
    const code = codeAt(this.#dex, codeOffset);
    if (code === null || this.#unitsLeft < 0) return null;
    this.#unitsLeft -= code.units.length;
    if (this.#unitsLeft < 0) return null;
    const shape: string[] = [String(code.tryCount)];
    const exact: string[] = [];
    let instructions = 0;
    for (const instruction of instructionsOf(code.units)) {
      instructions++;
      const token = this.#tokenOf(instruction);
      shape.push(`${operationOf[instruction.opcode.value]} ${token.shape}`);
      exact.push(`${instruction.registers} ${instruction.target - instruction.at} ${token.exact}`);
    }
    const shapeDigest = digestOf(shape.join('\n'));
    const fingerprint = { shape: shapeDigest, exact: digestOf(shapeDigest + exact.join('\n')), instructions };
    this.#known.set(codeOffset, fingerprint);
    return fingerprint;
  }

  /**
   * What a method says in names of the app and in registers, one text for each instruction: two methods of one shape are the
   * same where these texts are, once names that changed are replaced.
   */
  detailsOf(codeOffset: number): string[] {
    const code = codeAt(this.#dex, codeOffset);
    return code === null
      ? []
      : Array.from(
          instructionsOf(code.units),
          (one) => `${one.registers} ${one.target - one.at} ${this.#tokenOf(one).exact}`,
        );
  }

  #tokenOf({ opcode, index, secondIndex, literal, payload }: Instruction): { shape: string; exact: string } {
    if (payload !== null) {
      const { kind } = payload;
      const held = kind === 'array-data' ? Buffer.from(payload.data).toString('latin1') : JSON.stringify(payload);
      return { shape: `${kind} ${digestOf(held)}`, exact: '' };
    }
    if (opcode.index !== 'none') {
      const token = this.#indexed(opcode.index, index);
      return opcode.index === 'method-and-proto'
        ? {
            shape: `${token.shape} ${shapeOfTypes(this.#dex.protoDescriptor(secondIndex), this.#isOwn)}`,
            exact: token.exact,
          }
        : token;
    }
    const name = typeof literal === 'number' ? this.#constantName(literal) : null;
    return { shape: name ?? String(literal), exact: '' };
  }

  #indexed(kind: IndexKind, index: number): { shape: string; exact: string } {
    let tokens = this.#tokens.get(kind);
    if (tokens === undefined) {
      tokens = new Map();
      this.#tokens.set(kind, tokens);
    }
    let token = tokens.get(index);
    if (token === undefined) {
      token = this.#describe(kind, index);
      tokens.set(index, token);
    }
    return token;
  }

  /** What a call site leads to, with and without names of the app. */
  #bound(exact: string): { shape: string; exact: string } {
    const nameless = exact.replace(/(L[^\s;]{1,500};)->[^\s(:]+/g, (whole, type: string) =>
      this.#isOwn(type) ? `${type}->` : whole,
    );
    return { shape: shapeOfTypes(nameless, this.#isOwn), exact };
  }

  #describe(kind: IndexKind, index: number): { shape: string; exact: string } {
    const dex = this.#dex;
    const isOwn = this.#isOwn;
    const types = (text: string) => shapeOfTypes(text, isOwn);
    switch (kind) {
      case 'string':
        return { shape: `"${digestOf(dex.string(index))}`, exact: '' };
      case 'type':
        return { shape: types(dex.type(index)), exact: dex.type(index) };
      case 'field': {
        const shape = isOwn(dex.fieldClass(index)) ? types(dex.fieldType(index)) : dex.field(index);
        return { shape: types(shape), exact: dex.field(index) };
      }
      case 'method':
      case 'method-and-proto': {
        const shape = isOwn(dex.methodClass(index)) ? dex.methodDescriptor(index) : dex.method(index);
        return { shape: types(shape), exact: dex.method(index) };
      }
      case 'proto':
        return { shape: types(dex.protoDescriptor(index)), exact: dex.protoDescriptor(index) };
      case 'method-handle':
        return this.#bound(smaliMethodHandle(dex, index));
      case 'call-site': {
        const budget = { charactersLeft: maxCallSite };
        const values = callSiteAt(dex, index) ?? [];
        return this.#bound(values.map((value) => smaliValue(dex, value, '', budget)).join(' '));
      }
      case 'none':
        return { shape: '', exact: '' };
    }
  }
}
