// Whether starting a class of the app can be seen: what its static initialiser does, and what that calls. Knows no text.
import { allMethods, type EncodedMethod } from '../../formats/dex/class-data.ts';
import { codeAt } from '../../formats/dex/code-item.ts';
import type { Dex } from '../../formats/dex/dex.ts';
import { type Instruction, instructionAt } from '../../formats/dex/instruction.ts';
import type { Opcode } from '../../formats/dex/opcodes.ts';
import type { Program, SourceClass } from '../printing/program.ts';

/** Methods that one initialiser is followed into, each within the one that calls it. */
const maxDepth = 8;
/** Code units of a method that is looked through. */
const maxUnits = 20_000;

/** What throws nothing where a compiler wrote it: texts and classes, new objects and arrays, their elements, fields. */
const isKeeping = ({ value }: Opcode): boolean =>
  (value >= 0x1a && value <= 0x1c) || (value >= 0x22 && value <= 0x26) || (value >= 0x44 && value <= 0x6d);
const isQuietOpcode = (opcode: Opcode): boolean =>
  isKeeping(opcode) || !(opcode.canThrow || opcode.canBranch || opcode.isSwitch);
const newInstance = 0x22;
const invokeDirect = 0x70;
const invokeStatic = 0x71;
/** Packages that no app defines classes in. */
const ofPlatform = /^L(?:android|dalvik|javax?)\//;
/** Constructors of the platform that only keep what they are given. */
const keepingPackage = /^Ljava\/(?:lang|util|util\/concurrent|util\/concurrent\/atomic)\/[^/]+;$/;
const keptType = /^(?:[ZBCSIJFD]|Ljava\/lang\/(?:String|Object|Class);)$/;

export class QuietStarts {
  readonly #program: Program;
  /** By class; true while it is looked at: an initialiser that asks for its own class goes on. */
  readonly #classes = new Map<string, boolean>();

  constructor(program: Program) {
    this.#program = program;
  }

  /** Whether nobody sees when a class is started, with all above it, unless its initialiser fails. */
  isQuiet(type: string, depth = 0): boolean {
    return this.#program.relations.above(type).every((each) => this.#isQuietAlone(each, depth));
  }

  #isQuietAlone(type: string, depth: number): boolean {
    let known = this.#classes.get(type);
    if (known === undefined) {
      this.#classes.set(type, true);
      known = this.#starts(type, depth);
      this.#classes.set(type, known);
    }
    return known;
  }

  #starts(type: string, depth: number): boolean {
    const place = this.#program.classOf(type);
    if (place === null) return this.#program.relations.factsOf(type) !== null || ofPlatform.test(type);
    const found = place.data.directMethods.find(({ methodIndex }) => place.dex.methodName(methodIndex) === '<clinit>');
    return found === undefined || this.#isQuietMethod(place, found, depth);
  }

  #isQuietMethod(place: SourceClass, method: EncodedMethod, depth: number): boolean {
    if (method.codeOffset === 0 || depth > maxDepth) return false;
    const units = codeAt(place.dex, method.codeOffset)?.units;
    if (units === undefined || units.length > maxUnits) return false;
    for (let at = 0; at < units.length; ) {
      const instruction = instructionAt(units, at);
      if (instruction.payload === null && !this.#isQuietInstruction(place, instruction, depth)) return false;
      at += Math.max(1, instruction.length);
    }
    return true;
  }

  #isQuietInstruction({ dex, type }: SourceClass, { opcode, index }: Instruction, depth: number): boolean {
    const { value } = opcode;
    if (value === invokeDirect) return this.#isQuietConstructor(dex, index, depth);
    if (value === invokeStatic) return dex.methodClass(index) === type && this.#isQuietCall(dex, index, depth);
    if (!isQuietOpcode(opcode)) return false;
    if (value === newInstance) return this.isQuiet(dex.type(index), depth + 1);
    // Reading or writing a static field of another class starts that.
    return value < 0x60 || value > 0x6d || dex.fieldClass(index) === type;
  }

  #isQuietConstructor(dex: Dex, index: number, depth: number): boolean {
    if (dex.methodName(index) !== '<init>') return false;
    const owner = dex.methodClass(index);
    if (this.#program.relations.placeOf(owner) !== null) return this.#isQuietCall(dex, index, depth);
    const takes = dex.protoParameters(dex.methodProtoIndex(index));
    return keepingPackage.test(owner) && takes.every((each) => keptType.test(each));
  }

  #isQuietCall(dex: Dex, index: number, depth: number): boolean {
    const [owner, name, descriptor] = [dex.methodClass(index), dex.methodName(index), dex.methodDescriptor(index)];
    const place = this.#program.classOf(owner);
    const method =
      place === null
        ? undefined
        : [...allMethods(place.data)].find(
            ({ methodIndex }) =>
              place.dex.methodName(methodIndex) === name && place.dex.methodDescriptor(methodIndex) === descriptor,
          );
    return method !== undefined && this.#isQuietMethod(place!, method, depth + 1);
  }
}
