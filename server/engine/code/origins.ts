// Where a value comes from: constants, framework calls, fields and parameters, through strings, arrays and the app's own methods.
// Judges nothing.

import { classData } from '../formats/dex/class-data.ts';
import { EncodedValueReader } from '../formats/dex/encoded-value.ts';
import { payloadAt } from '../formats/dex/instruction.ts';
import type { AppMethod, AppMethods } from './app-methods.ts';
import { type Call, type Definition, type Definitions, parameterBase } from './definitions.ts';

/** What a value may be made of. */
export type Origin =
  /** `text` as a report shows it; `number` for numbers, null counting as 0. */
  | { readonly kind: 'constant'; readonly text: string; readonly number: number | null }
  /** The result of a framework's method, or what it put into an array. */
  | {
      readonly kind: 'call';
      readonly call: Call;
      readonly method: AppMethod;
      /** The field that it was kept in on the way. */
      readonly field?: string;
    }
  /** A field that others than constants are written to. */
  | { readonly kind: 'field'; readonly field: string }
  /** A parameter that no caller is known of, the receiver being 0. */
  | { readonly kind: 'parameter'; readonly method: AppMethod; readonly place: number }
  /** An object that is made here. */
  | { readonly kind: 'object'; readonly type: string; readonly position: number; readonly method: AppMethod }
  | { readonly kind: 'unknown' };

const unknown: Origin = { kind: 'unknown' };
/** Calls, fields and callers that are gone through on the way to one origin. */
const maxDepth = 6;
/** Origins of one value. */
const maxOrigins = 24;
/** Definitions that are looked at for one app: about a second's work. */
const maxSteps = 300_000;
const maxText = 120;

/** Methods whose result is made of what they are given and nothing else; what they do to it does not matter here. */
const transparent: Readonly<Record<string, string>> = {
  'Ljava/lang/String;':
    'getBytes toCharArray valueOf toString trim toLowerCase toUpperCase concat substring intern replace format copyValueOf join split subSequence',
  'Ljava/lang/CharSequence;': 'toString subSequence',
  'Ljava/lang/Object;': 'toString clone',
  'Ljava/lang/StringBuilder;': 'toString append insert',
  'Ljava/lang/StringBuffer;': 'toString append insert',
  'Ljava/util/Objects;': 'requireNonNull toString',
  'Ljava/util/Arrays;': 'copyOf copyOfRange asList',
  'Landroid/util/Base64;': 'decode encode encodeToString',
  'Ljava/util/Base64$Decoder;': 'decode',
  'Ljava/lang/Integer;': 'valueOf intValue parseInt toString',
  'Ljava/lang/Long;': 'valueOf longValue parseLong toString',
  'Ljava/math/BigInteger;': 'toByteArray',
  'Ljava/nio/charset/Charset;': 'encode forName',
  'Landroid/net/Uri;': 'parse toString fromFile withAppendedPath buildUpon',
  'Landroid/net/Uri$Builder;': 'appendPath appendEncodedPath appendQueryParameter path build toString',
  'Landroid/text/Editable;': 'toString',
  'Ljava/io/File;': 'getAbsolutePath getPath getCanonicalPath getAbsoluteFile getCanonicalFile getParentFile toString',
  'Lkotlin/jvm/internal/Intrinsics;': 'stringPlus',
  'Lkotlin/text/StringsKt;': 'trim trimIndent replace$default substringAfter$default substringBefore$default',
};
/** Methods that answer the object they are called on. */
export const isFluent = ({ owner, name, descriptor }: Call): boolean =>
  owner === 'Landroid/content/Intent;' && descriptor.endsWith(`)${owner}`) && /^(?:add|put|replace|set)/.test(name);
const transparentMethods = new Set(
  Object.entries(transparent).flatMap(([owner, names]) => names.split(' ').map((name) => owner + name)),
);
/** Objects that are what their constructor is given, and what is appended to them. */
const containers = new Set([
  'Ljava/lang/String;',
  'Ljava/lang/StringBuilder;',
  'Ljava/lang/StringBuffer;',
  'Ljava/math/BigInteger;',
  'Ljava/io/File;',
  'Ljava/net/URL;',
]);
const isBuilder = (type: string): boolean =>
  type === 'Ljava/lang/StringBuilder;' || type === 'Ljava/lang/StringBuffer;';
/** Methods that read an array without changing it, beside those of `transparent`. */
const arrayReaders =
  /^Ljavax\/crypto\/|^Ljava\/security\/(?!SecureRandom)|->(?:<init>|equals|update|doFinal|digest|write|isEqual|compare|println?|length)$/;

/** What a definition was found to be. */
interface Known {
  readonly origins: Origin[];
  /** Calls, fields and callers before it, on the way it was found on. */
  readonly depth: number;
  /** Whether all of it was followed, however far it went. */
  readonly isWhole: boolean;
  /** Whether callers that nobody looked for yet would tell more. */
  readonly isOpen: boolean;
}

export class Origins {
  readonly #app: AppMethods;
  /** Methods whose callers would tell more. */
  readonly wantedCallers = new Set<string>();
  /** Whether what was asked since it was last set to false depends on one of them. */
  isOpen = false;
  /** By definition; null while it is followed. */
  readonly #known = new Map<Definitions, Map<Definition, Known | null>>();
  /** What was found within a circle holds as long as the question that led there. */
  #circular: { known: Map<Definition, Known | null>; definition: Definition }[] = [];
  /** Ways that ended for their length, and in a circle. */
  #cuts = 0;
  #circles = 0;
  readonly #fields = new Map<string, { origins: Origin[]; isOpen: boolean }>();
  #stepsLeft = maxSteps;

  constructor(app: AppMethods) {
    this.#app = app;
  }

  /** Where an argument of a call comes from; never empty. */
  ofArgument(method: AppMethod, call: Call, argument: number): readonly Origin[] {
    const register = call.registers[argument];
    return register === undefined ? [unknown] : this.ofRegister(method, call.position, register);
  }

  ofRegister(method: AppMethod, position: number, register: number): readonly Origin[] {
    const origins = this.#register(method, position, register, 0);
    for (const { known, definition } of this.#circular.splice(0)) known.delete(definition);
    return origins;
  }

  #register(method: AppMethod, position: number, register: number, depth: number): Origin[] {
    const definitions = this.#app.definitionsOf(method);
    const reaching = definitions?.reaching(position, register) ?? [];
    if (definitions === null || reaching.length === 0) return [unknown];
    const origins: Origin[] = [];
    for (const definition of reaching) {
      origins.push(...this.#definition(method, definitions, definition, depth));
      if (origins.length > maxOrigins) return [...origins.slice(0, maxOrigins), unknown];
    }
    return origins;
  }

  #definition(method: AppMethod, definitions: Definitions, definition: Definition, depth: number): Origin[] {
    let known = this.#known.get(definitions);
    if (known === undefined) {
      known = new Map();
      this.#known.set(definitions, known);
    }
    const before = known.get(definition);
    if (before === null) {
      this.#circles++;
      return [unknown];
    }
    if (before !== undefined && (before.isWhole || before.depth <= depth)) {
      this.isOpen ||= before.isOpen;
      if (!before.isWhole) this.#cuts++;
      return before.origins;
    }
    if (depth > maxDepth * 3 || this.#stepsLeft-- <= 0) {
      this.#cuts++;
      return [unknown];
    }
    known.set(definition, null);
    const { isOpen: wasOpen } = this;
    const [cuts, circles] = [this.#cuts, this.#circles];
    this.isOpen = false;
    const origins = this.#follow(method, definitions, definition, depth + 1);
    known.set(definition, { origins, depth, isWhole: cuts === this.#cuts, isOpen: this.isOpen });
    if (circles !== this.#circles) this.#circular.push({ known, definition });
    this.isOpen ||= wasOpen;
    return origins;
  }

  #follow(method: AppMethod, definitions: Definitions, definition: Definition, inner: number): Origin[] {
    if (definition >= parameterBase) return this.#parameter(method, definition - parameterBase, inner);
    const { dex, body } = definitions;
    const instruction = body.instructions[definition]!;
    const { value } = instruction.opcode;
    if (value >= 0x12 && value <= 0x19) {
      const number = Number(instruction.literal);
      return [{ kind: 'constant', text: `${number}`, number }];
    }
    if (value === 0x1a || value === 0x1b) return [constant(JSON.stringify(dex.string(instruction.index)))];
    if (value === 0x1c) return [constant(dex.type(instruction.index))];
    if (value === 0x22) return this.#object(method, definitions, definition, inner);
    if (value === 0x23) return this.#array(method, definitions, definition, inner);
    if (value === 0x24 || value === 0x25) {
      return instruction.registers.flatMap((register) => this.#register(method, definition, register, inner));
    }
    if (value >= 0x52 && value <= 0x58) return this.#field(dex.field(instruction.index), inner);
    if (value >= 0x60 && value <= 0x66) return this.#field(dex.field(instruction.index), inner);
    if (value >= 0x44 && value <= 0x4a) return this.#register(method, definition, instruction.registers[1]!, inner);
    const operands = arithmeticOperands(value, instruction.registers);
    if (operands.length > 0) return this.#computed(method, definition, operands, inner);
    const call = definitions.calls.get(definition);
    return call === undefined ? [unknown] : this.#result(method, call, inner);
  }

  /** What arithmetic makes of its operands: of constants a constant, whose number nobody works out here. */
  #computed(method: AppMethod, position: number, operands: readonly number[], depth: number): Origin[] {
    return operands.flatMap((register) =>
      this.#register(method, position, register, depth).map((origin) =>
        origin.kind === 'constant' ? { ...origin, number: null } : origin,
      ),
    );
  }

  #cut(origin: Origin): Origin[] {
    this.#cuts++;
    return [origin];
  }

  /** Counts a walk through the instructions of a method. */
  #spend(instructions: number): void {
    this.#stepsLeft -= instructions >> 4;
  }

  #result(method: AppMethod, call: Call, depth: number): Origin[] {
    if (transparentMethods.has(call.owner + call.name)) {
      const origins = call.registers.flatMap((register) => this.#register(method, call.position, register, depth));
      return origins.length === 0 ? [unknown] : origins.slice(0, maxOrigins);
    }
    if (isFluent(call)) return this.#register(method, call.position, call.registers[0]!, depth);
    const text = this.#resourceText(method, call, depth);
    if (text !== null) return [constant(JSON.stringify(text))];
    const called = this.#app.find(call.owner, call.name, call.descriptor);
    if (called === null) return [{ kind: 'call', call, method }];
    if (depth > maxDepth) return this.#cut(unknown);
    const definitions = this.#app.definitionsOf(called);
    if (definitions === null) return [unknown];
    const returned = definitions.body.instructions.flatMap((instruction, position) =>
      instruction.opcode.isReturn && instruction.registers.length > 0
        ? this.#register(called, position, instruction.registers[0]!, depth)
        : [],
    );
    return returned.length === 0 ? [unknown] : returned.slice(0, maxOrigins);
  }

  /** The text of `getString(R.string.name)`. */
  #resourceText(method: AppMethod, { name, descriptor, registers, position }: Call, depth: number): string | null {
    if (name !== 'getString' || descriptor !== '(I)Ljava/lang/String;') return null;
    const [id] = this.#register(method, position, registers[1]!, depth);
    return id?.kind === 'constant' && id.number !== null ? this.#app.resourceText(id.number) : null;
  }

  #parameter(method: AppMethod, place: number, depth: number): Origin[] {
    const own: Origin = { kind: 'parameter', method, place };
    if (place === 0 && !method.isStatic) return [own];
    const callers = this.#app.callersOf(method.key);
    if (callers === null) {
      this.wantedCallers.add(method.key);
      this.isOpen = true;
    }
    if (callers === null || callers.length === 0) return [own];
    if (depth > maxDepth) return this.#cut(own);
    return callers
      .flatMap(({ method: caller, at }) => {
        const definitions = this.#app.definitionsOf(caller);
        const position = definitions?.body.positions[at] ?? -1;
        const call = definitions?.calls.get(position);
        const register = call?.registers[place];
        return register === undefined ? [own] : this.#register(caller, position, register, depth);
      })
      .slice(0, maxOrigins);
  }

  /** What a field may hold: its initial value, and what the methods of its class write to it. */
  #field(field: string, depth: number): Origin[] {
    const known = this.#fields.get(field);
    if (known !== undefined) {
      this.isOpen ||= known.isOpen;
      return known.origins;
    }
    const other: Origin = { kind: 'field', field };
    // Each piece that a text is put together of lies one step farther away.
    if (depth > 2 * maxDepth) return this.#cut(other);
    // While it is looked at it counts as unknown: a field may be written what it held.
    this.#fields.set(field, { origins: [other], isOpen: false });
    const { isOpen: wasOpen } = this;
    const cuts = this.#cuts;
    this.isOpen = false;
    const owner = field.slice(0, field.indexOf('->'));
    const origins = [...this.#initialValue(owner, field)];
    for (const method of this.#app.methodsOf(owner).values()) {
      const definitions = this.#app.definitionsOf(method);
      definitions?.body.instructions.forEach(({ opcode: { value }, index, registers }, position) => {
        const isPut = (value >= 0x59 && value <= 0x5f) || (value >= 0x67 && value <= 0x6d);
        if (isPut && definitions.dex.field(index) === field) {
          origins.push(...this.#register(method, position, registers[0]!, depth));
        }
      });
    }
    const found =
      origins.length === 0
        ? [other]
        : origins
            .slice(0, maxOrigins)
            .map((origin) =>
              origin.kind === 'constant' ? origin : origin.kind === 'call' ? { field, ...origin } : other,
            );
    // From nearer by more may be seen of it.
    if (cuts === this.#cuts) this.#fields.set(field, { origins: found, isOpen: this.isOpen });
    else this.#fields.delete(field);
    this.isOpen ||= wasOpen;
    return found;
  }

  /** The value that the dex file gives a static field; a number of 0 where others are written too says nothing. */
  *#initialValue(owner: string, field: string): Generator<Origin> {
    const place = this.#app.classes.placeOf(owner);
    if (place === null) return;
    const { dex, classIndex } = place;
    const { staticValuesOffset } = dex.classDef(classIndex);
    if (staticValuesOffset === 0) return;
    const at = classData(dex, classIndex).staticFields.findIndex(({ fieldIndex }) => dex.field(fieldIndex) === field);
    const value = at < 0 ? undefined : new EncodedValueReader(dex).arrayAt(staticValuesOffset)[at];
    if (value?.kind === 'string') yield constant(JSON.stringify(dex.string(value.index)));
    else if (value !== undefined && 'value' in value && typeof value.value === 'number' && value.value !== 0) {
      yield { kind: 'constant', text: `${value.value}`, number: value.value };
    }
  }

  #object(method: AppMethod, definitions: Definitions, position: number, depth: number): Origin[] {
    const type = definitions.dex.type(definitions.body.instructions[position]!.index);
    if (!containers.has(type)) return [{ kind: 'object', type, position, method }];
    this.#spend(definitions.body.instructions.length);
    const pieces = callsOn(definitions, position, isBuilder(type));
    const origins = pieces.flatMap((call) =>
      call.registers.slice(1).flatMap((register) => this.#register(method, call.position, register, depth)),
    );
    return origins.length === 0 ? [constant('""')] : origins.slice(0, maxOrigins);
  }

  /** The elements of an array, as far as the method itself writes them, and the calls that may fill it. */
  #array(method: AppMethod, definitions: Definitions, position: number, depth: number): Origin[] {
    const { body } = definitions;
    this.#spend(body.instructions.length);
    const origins: Origin[] = [];
    body.instructions.forEach(({ opcode: { value }, registers, target }, at) => {
      if (value === 0x26 && definitions.reaching(at, registers[0]!).includes(position)) {
        const payload = payloadAt(body.code.units, target);
        if (payload?.kind === 'array-data') origins.push(constant(`${payload.elements} bytes ${hex(payload.data)}`));
      } else if (value >= 0x4b && value <= 0x51 && definitions.reaching(at, registers[1]!).includes(position)) {
        if (origins.length < maxOrigins) origins.push(...this.#register(method, at, registers[0]!, depth));
      }
    });
    for (const { call, argument } of definitions.usesOf(position)) {
      const name = `${call.owner}->${call.name}`;
      if (name === 'Ljava/lang/System;->arraycopy') {
        if (argument === 2) origins.push(...this.#register(method, call.position, call.registers[0]!, depth));
      } else if (!transparentMethods.has(call.owner + call.name) && !arrayReaders.test(name)) {
        origins.push(
          this.#app.find(call.owner, call.name, call.descriptor) === null ? { kind: 'call', call, method } : unknown,
        );
      }
    }
    return origins.length === 0 ? [constant('an array of zeros')] : origins.slice(0, maxOrigins);
  }
}

/** The constructor of an object and, of a builder, whatever is appended to it or to what that answers. */
function callsOn(definitions: Definitions, object: Definition, isBuilder: boolean): Call[] {
  const self = new Set<Definition>([object]);
  return [...definitions.calls.values()].filter((call) => {
    const [receiver] = call.registers;
    if (receiver === undefined || !(call.name === '<init>' || (isBuilder && /^(?:append|insert)$/.test(call.name))))
      return false;
    if (!definitions.reaching(call.position, receiver).some((each) => self.has(each))) return false;
    if (call.name !== '<init>') self.add(call.position);
    return true;
  });
}

/** What negations, conversions and operations read; the first register of those with `/2addr` is written and read. */
const arithmeticOperands = (value: number, registers: readonly number[]): readonly number[] =>
  value < 0x7b || value > 0xe2 ? [] : value >= 0xb0 && value <= 0xcf ? registers : registers.slice(1);

const constant = (text: string): Origin => ({ kind: 'constant', text: text.slice(0, maxText), number: null });
const hex = (data: Uint8Array): string => Buffer.from(data.subarray(0, 32)).toString('hex');
