// One method's body in smali: directives, instructions, labels, payloads. Knows nothing of the class around it.
import type { Annotation } from './annotations.ts';
import type { EncodedMethod } from './class-data.ts';
import { type Code, codeAt, tryBlocksOf } from './code-item.ts';
import { type DebugEvent, type DebugInfo, debugInfoOf } from './debug-info.ts';
import type { Dex } from './dex.ts';
import { type Instruction, instructionsOf, type Payload } from './instruction.ts';
import { callSiteAt, methodHandleAt } from './method-handle.ts';
import {
  smaliField,
  smaliHex,
  smaliMethod,
  smaliMethodHandle,
  smaliName,
  smaliProto,
  smaliString,
  smaliType,
  smaliValue,
  type TextBudget,
} from './smali-literal.ts';

const accStatic = 0x8;
const indent = '    ';

export interface MethodPrinting {
  readonly method: EncodedMethod;
  readonly parameterAnnotations: readonly (readonly Annotation[])[];
  /** Prints annotations at a depth. */
  readonly printAnnotations: (annotations: readonly Annotation[], indent: string) => string[];
  readonly budget: TextBudget;
}

/** Compilers stay below 65,536 units; a method of more than this is there to exhaust memory. */
export const maxPrintedUnits = 1 << 20;

/** Parameters of a method, each with its `p` register. */
function parametersOf(dex: Dex, { methodIndex, accessFlags }: EncodedMethod): { register: number; type: string }[] {
  let register = (accessFlags & accStatic) === 0 ? 1 : 0;
  return dex.protoParameters(dex.methodProtoIndex(methodIndex)).map((type) => {
    const parameter = { register, type };
    register += type === 'J' || type === 'D' ? 2 : 1;
    return parameter;
  });
}

/** The lines between `.method` and `.end method`, without the method's own annotations. */
export function smaliMethodBody(dex: Dex, printing: MethodPrinting, ownAnnotations: readonly string[]): string[] {
  const { method } = printing;
  const code = codeAt(dex, method.codeOffset);
  const debug: DebugInfo = code === null ? { parameterNames: [], events: [] } : debugInfoOf(dex, code);
  const head = [...parameterLines(dex, printing, debug), ...ownAnnotations];
  if (code === null) return head;
  const lines = [`${indent}.registers ${code.registers}`, ...head];
  if (code.units.length > maxPrintedUnits) {
    dex.findings.add('dex-code-limit', `${dex.where}:${dex.method(method.methodIndex)}`, 'too long to be printed');
    return [...lines, `${indent}# ${code.units.length} code units, too many to be printed`];
  }
  // Not spread as arguments: a body can have more lines than the stack holds.
  return lines.concat(new BodyPrinter(dex, code, debug, printing.budget).lines());
}

function parameterLines(dex: Dex, printing: MethodPrinting, debug: DebugInfo): string[] {
  return parametersOf(dex, printing.method).flatMap(({ register, type }, index) => {
    const name = debug.parameterNames[index] ?? -1;
    const annotations = printing.parameterAnnotations[index] ?? [];
    if (name < 0 && annotations.length === 0) return [];
    const line = `${indent}.param p${register}${name < 0 ? '' : `, ${smaliString(dex.string(name))}`}    # ${smaliType(type)}`;
    if (annotations.length === 0) return [line];
    return [line, ...printing.printAnnotations(annotations, indent + indent), `${indent}.end param`];
  });
}

const hexLabel = (kind: string, address: number) => `:${kind}_${address.toString(16)}`;
const elementSuffixes: Record<number, string> = { 1: 't', 2: 's', 4: '', 8: '' };

/** The order of what stands before one instruction. */
const ranks = { tryEnd: 0, catch: 1, debug: 2, label: 3, tryStart: 4 } as const;

class BodyPrinter {
  readonly #dex: Dex;
  readonly #code: Code;
  readonly #instructions: Instruction[];
  readonly #firstParameter: number;
  /** Labels, directives and debug lines before the instruction at an address. */
  readonly #before = new Map<number, { rank: number; line: string }[]>();
  /** Address of the switch or array instruction by the address of its payload. */
  readonly #payloadUsers = new Map<number, number>();
  readonly #labels = new Set<string>();
  readonly #budget: TextBudget;

  constructor(dex: Dex, code: Code, debug: DebugInfo, budget: TextBudget) {
    this.#budget = budget;
    this.#dex = dex;
    this.#code = code;
    this.#firstParameter = code.registers - code.ins;
    this.#instructions = [...instructionsOf(code.units)];
    this.#labelTargets();
    this.#labelTries();
    for (const event of debug.events) this.#place(event.address, ranks.debug, this.#debugLine(event));
  }

  lines(): string[] {
    const lines: string[] = [];
    const add = (line: string) => {
      lines.push(line);
      this.#budget.charactersLeft -= line.length + 1;
    };
    for (const instruction of this.#instructions) {
      if (this.#budget.charactersLeft <= 0) {
        add(`${indent}# the rest is left out: the class has grown too long`);
        return lines;
      }
      add('');
      this.#linesBefore(instruction.at).forEach(add);
      this.#print(instruction).forEach(add);
    }
    this.#linesBefore(this.#code.units.length).forEach(add);
    return lines;
  }

  #linesBefore(address: number): string[] {
    const lines = this.#before.get(address) ?? [];
    const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
    return lines
      .sort((a, b) => a.rank - b.rank || (a.rank === ranks.label ? order(a.line, b.line) : 0))
      .map(({ line }) => line);
  }

  /** Where no instruction starts at the address, the line goes to the next one that does. */
  #place(address: number, rank: number, text: string): void {
    const at = this.#boundary(address);
    const line = indent + text;
    if (text.startsWith(':')) {
      if (this.#labels.has(text)) return;
      this.#labels.add(text);
    }
    const lines = this.#before.get(at);
    if (lines === undefined) this.#before.set(at, [{ rank, line }]);
    else lines.push({ rank, line });
  }

  #boundary(address: number): number {
    let low = 0;
    let high = this.#instructions.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#instructions[middle]!.at < address) low = middle + 1;
      else high = middle;
    }
    return this.#instructions[low]?.at ?? this.#code.units.length;
  }

  #label(kind: string, address: number): string {
    const label = hexLabel(kind, this.#boundary(Math.max(0, address)));
    const rank = kind === 'try_start' ? ranks.tryStart : kind === 'try_end' ? ranks.tryEnd : ranks.label;
    this.#place(Math.max(0, address), rank, label);
    return label;
  }

  #labelTargets(): void {
    const payloads = new Map(this.#instructions.map((instruction) => [instruction.at, instruction.payload]));
    for (const { opcode, target, at } of this.#instructions) {
      if (opcode.canBranch) this.#label(opcode.canContinue ? 'cond' : 'goto', target);
      if (opcode.format !== '31t' || !payloads.get(target)) continue;
      this.#place(target, ranks.label, hexLabel(payloadLabel(opcode.mnemonic), target));
      this.#payloadUsers.set(target, at);
      const payload = payloads.get(target)!;
      if (payload.kind === 'array-data') continue;
      const kind = payload.kind === 'packed-switch' ? 'pswitch' : 'sswitch';
      for (const distance of payload.targets) this.#label(kind, at + distance);
    }
  }

  #labelTries(): void {
    for (const block of tryBlocksOf(this.#dex, this.#code)) {
      const start = this.#label('try_start', block.start);
      const end = this.#label('try_end', block.end);
      const range = `{${start} .. ${end}}`;
      for (const { typeIndex, address } of block.handlers) {
        const handler = this.#label('catch', address);
        this.#place(block.end, ranks.catch, `.catch ${smaliType(this.#dex.type(typeIndex))} ${range} ${handler}`);
      }
      if (block.catchAllAddress !== null) {
        const handler = this.#label('catchall', block.catchAllAddress);
        this.#place(block.end, ranks.catch, `.catchall ${range} ${handler}`);
      }
    }
  }

  #debugLine(event: DebugEvent): string {
    switch (event.kind) {
      case 'line':
        return `.line ${event.line}`;
      case 'prologue-end':
        return `.prologue`;
      case 'epilogue-begin':
        return `.epilogue`;
      case 'end-local':
        return `.end local ${this.#register(event.register)}`;
      case 'restart-local':
        return `.restart local ${this.#register(event.register)}`;
      case 'file':
        return `.source${event.nameIndex < 0 ? '' : ` ${smaliString(this.#dex.string(event.nameIndex))}`}`;
      case 'local': {
        const register = this.#register(event.register);
        if (event.nameIndex < 0 && event.typeIndex < 0) return `.local ${register}`;
        const name = event.nameIndex < 0 ? 'null' : smaliString(this.#dex.string(event.nameIndex));
        const type = event.typeIndex < 0 ? 'V' : smaliType(this.#dex.type(event.typeIndex));
        const signature = event.signatureIndex < 0 ? '' : `, ${smaliString(this.#dex.string(event.signatureIndex))}`;
        return `.local ${register}, ${name}:${type}${signature}`;
      }
    }
  }

  #register(register: number): string {
    const isParameter = register >= this.#firstParameter && register < this.#code.registers;
    return isParameter ? `p${register - this.#firstParameter}` : `v${register}`;
  }

  /** The lines of one instruction; what smali could not assemble stands in a comment. */
  #print(instruction: Instruction): string[] {
    const { opcode, payload, isTruncated } = instruction;
    if (payload !== null && !isTruncated) return this.#printPayload(instruction, payload);
    const text = `${opcode.mnemonic} ${this.#operands(instruction)}`.trimEnd();
    if (isTruncated) return [`${indent}# runs past the end of the code: ${text}`];
    if (opcode.isUnused || !this.#isValid(instruction)) return [`${indent}# invalid: ${text}`];
    return [indent + text];
  }

  #isValid({ opcode, index, secondIndex }: Instruction): boolean {
    const dex = this.#dex;
    switch (opcode.index) {
      case 'none':
        return true;
      case 'string':
        return dex.stringOrNull(index) !== null;
      case 'type':
        return index < dex.typeCount;
      case 'field':
        return index < dex.fieldCount;
      case 'method':
        return index < dex.methodCount;
      case 'proto':
        return index < dex.protoCount;
      case 'method-and-proto':
        return index < dex.methodCount && secondIndex < dex.protoCount;
      case 'method-handle':
        return methodHandleAt(dex, index) !== null;
      case 'call-site':
        return callSiteAt(dex, index) !== null;
    }
  }

  #operands(instruction: Instruction): string {
    const { opcode, registers, literal } = instruction;
    const names = registers.map((register) => this.#register(register));
    switch (opcode.format) {
      case '10t':
      case '20t':
      case '30t':
      case '21t':
      case '22t': {
        const kind = opcode.canContinue ? 'cond' : 'goto';
        return [...names, hexLabel(kind, this.#boundary(Math.max(0, instruction.target)))].join(', ');
      }
      case '31t':
        if (!this.#payloadUsers.has(instruction.target)) return `${names[0]}, +${instruction.target - instruction.at}`;
        return `${names[0]}, ${hexLabel(payloadLabel(opcode.mnemonic), instruction.target)}`;
      case '11n':
      case '21s':
      case '31i':
      case '22b':
      case '22s':
        return [...names, smaliHex(literal)].join(', ');
      case '21h':
      case '51l':
        return [...names, `${smaliHex(literal)}${typeof literal === 'bigint' ? 'L' : ''}`].join(', ');
      case '35c':
      case '45cc':
        return `{${names.join(', ')}}, ${this.#reference(instruction)}`;
      case '3rc':
      case '4rcc': {
        const range = names.length === 0 ? '' : `${names[0]} .. ${names.at(-1)}`;
        return `{${range}}, ${this.#reference(instruction)}`;
      }
      case '21c':
      case '22c':
      case '31c':
        return [...names, this.#reference(instruction)].join(', ');
      default:
        return names.join(', ');
    }
  }

  #reference({ opcode, index, secondIndex }: Instruction): string {
    const dex = this.#dex;
    switch (opcode.index) {
      case 'string': {
        const text = dex.stringOrNull(index);
        return text === null ? `string@${index}` : smaliString(text);
      }
      case 'type':
        return smaliType(dex.type(index));
      case 'field':
        return smaliField(dex, index);
      case 'method':
        return smaliMethod(dex, index);
      case 'proto':
        return smaliProto(dex, index);
      case 'method-and-proto':
        return `${smaliMethod(dex, index)}, ${smaliProto(dex, secondIndex)}`;
      case 'method-handle':
        return smaliMethodHandle(dex, index);
      case 'call-site':
        return this.#callSite(index);
      case 'none':
        return '';
    }
  }

  /** `call_site_0("name", (I)V, further arguments)@Lcom/example/Bootstrap;->method(…)…` */
  #callSite(index: number): string {
    const values = callSiteAt(this.#dex, index);
    const [bootstrap, ...rest] = values ?? [];
    if (bootstrap?.kind !== 'method-handle') return `call_site@${index}`;
    const handle = methodHandleAt(this.#dex, bootstrap.index);
    const target =
      handle?.target === 'method' ? smaliMethod(this.#dex, handle.index) : `method-handle@${bootstrap.index}`;
    const given = rest.map((value) => smaliValue(this.#dex, value, indent, this.#budget)).join(', ');
    return `${smaliName(`call_site_${index}`)}(${given})@${target}`;
  }

  #printPayload({ at }: Instruction, payload: Payload): string[] {
    const inner = indent + indent;
    const user = this.#payloadUsers.get(at);
    if (payload.kind === 'array-data') {
      const { data, elementWidth, elements } = payload;
      const suffix = elementSuffixes[elementWidth];
      if (suffix === undefined || data.length < elements * elementWidth) {
        return [`${indent}# invalid array data: ${elements} elements of ${elementWidth} bytes`];
      }
      const view = new DataView(data.buffer, data.byteOffset, data.length);
      const element = (index: number): number | bigint =>
        elementWidth === 1
          ? view.getInt8(index)
          : elementWidth === 2
            ? view.getInt16(index * 2, true)
            : elementWidth === 4
              ? view.getInt32(index * 4, true)
              : view.getBigInt64(index * 8, true);
      const values = Array.from({ length: elements }, (_, index) => {
        const value = element(index);
        const isLong = value !== BigInt.asIntN(32, BigInt(value)) && elementWidth === 8;
        return `${inner}${smaliHex(value)}${isLong ? 'L' : suffix}`;
      });
      return [`${indent}.array-data ${elementWidth}`, ...values, `${indent}.end array-data`];
    }
    if (user === undefined) return [`${indent}# unused ${payload.kind} data of ${payload.targets.length} targets`];
    const label = (distance: number, kind: string) => hexLabel(kind, this.#boundary(Math.max(0, user + distance)));
    if (payload.kind === 'packed-switch') {
      const targets = payload.targets.map((distance) => inner + label(distance, 'pswitch'));
      return [`${indent}.packed-switch ${smaliHex(payload.firstKey)}`, ...targets, `${indent}.end packed-switch`];
    }
    const cases = payload.targets.map(
      (distance, index) => `${inner}${smaliHex(payload.keys[index]!)} -> ${label(distance, 'sswitch')}`,
    );
    return [`${indent}.sparse-switch`, ...cases, `${indent}.end sparse-switch`];
  }
}

function payloadLabel(mnemonic: string): string {
  if (mnemonic === 'packed-switch') return 'pswitch_data';
  return mnemonic === 'sparse-switch' ? 'sswitch_data' : 'array';
}
