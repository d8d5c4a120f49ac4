// Prints an instruction the way androguard 3 does, which reports, rules and scripts match against. Knows no analysis.
import type { Dex } from './dex.ts';
import type { Instruction } from './instruction.ts';

/** No compiler writes longer names; a few bytes of hostile code can refer to one of megabytes, again and again. */
const maxName = 4096;

const bounded = (name: string): string => (name.length <= maxName ? name : `${name.slice(0, maxName)}…`);

/**
 * An instruction as androguard 3 prints it, mnemonic and operands:
 * `invoke-virtual v0, Landroid/telephony/TelephonyManager;->getDeviceId()Ljava/lang/String;`,
 * `invoke-virtual/range v0 ... v5, L…;->sendTextMessage(Ljava/lang/String; …)V`, `const-string v2, 'https'`.
 */
export function androguardNotation(dex: Dex, instruction: Instruction): string {
  return `${mnemonicOf(instruction)} ${operands(dex, instruction)}`;
}

function mnemonicOf({ payload, opcode }: Instruction): string {
  if (payload === null) return opcode.mnemonic;
  return payload.kind === 'array-data' ? 'fill-array-data-payload' : `${payload.kind}-payload`;
}

function operands(dex: Dex, instruction: Instruction): string {
  const { opcode, registers, literal, target, at } = instruction;
  const names = registers.map((register) => `v${register}`);
  const range = (dots: string) =>
    `v${instruction.rangeStart} ${dots} v${instruction.rangeStart + registers.length - 1}`;
  switch (opcode.format) {
    case '10x':
      return payloadOperands(instruction);
    case '10t':
      return branch(target - at, 2);
    case '20t':
      return branch(target - at, 4);
    case '30t':
      return branch(target - at, 8);
    case '21t':
    case '22t':
      return `${names.join(', ')}, ${branch(target - at, 4)}`;
    case '31t':
      return `${names.join(', ')}, ${branch(target - at, 8)}`;
    case '11n':
    case '21s':
    case '21h':
    case '31i':
    case '51l':
    case '22b':
    case '22s':
      return `${names.join(', ')}, ${literal}`;
    case '21c':
    case '22c':
    case '31c':
    case '35c':
      return [...names, reference(dex, instruction)].join(', ');
    case '3rc': {
      if (names.length === 1) return `${names[0]}, ${reference(dex, instruction)}`;
      return `${range('...')}, ${reference(dex, instruction)}`;
    }
    case '45cc':
      return names.length === 0 ? 'None' : [...names, instruction.index, instruction.secondIndex].join(', ');
    case '4rcc':
      return `${range('..')} ${instruction.index} ${instruction.secondIndex}`;
    default:
      return names.join(', ');
  }
}

/** Distance in code units: sign, hex digits padded to `width` with the sign, `h`. */
function branch(distance: number, width: number): string {
  const sign = distance < 0 ? '-' : '+';
  return `${sign}${Math.abs(distance)
    .toString(16)
    .padStart(width - 1, '0')}h`;
}

/** What the index points at. Method handles are looked up among the methods, and call sites not at all: so it prints them. */
function reference(dex: Dex, { opcode, index }: Instruction): string {
  switch (opcode.index) {
    case 'string':
      return pythonLiteral(bounded(dex.stringOrNull(index) ?? 'AG:IS: invalid string'));
    case 'type':
      return bounded(dex.type(index));
    case 'field':
      return `${bounded(dex.fieldClass(index))}->${bounded(dex.fieldName(index))} ${bounded(dex.fieldType(index))}`;
    case 'method':
    case 'method-handle':
      return androguardMethod(dex, index);
    default:
      return 'None';
  }
}

/** A method reference with blanks between its parameter types. */
function androguardMethod(dex: Dex, index: number): string {
  const proto = dex.methodProtoIndex(index);
  if (proto < 0) return `method@${index}`;
  let parameters = '';
  for (const type of dex.protoParameters(proto)) {
    parameters += parameters === '' ? bounded(type) : ` ${bounded(type)}`;
    if (parameters.length > maxName) break;
  }
  parameters = bounded(parameters);
  const owner = `${bounded(dex.methodClass(index))}->${bounded(dex.methodName(index))}`;
  return `${owner}(${parameters})${bounded(dex.protoReturnType(proto))}`;
}

const hex = (value: number) => (value < 0 ? `-${(-value).toString(16)}` : value.toString(16));

function payloadOperands({ payload }: Instruction): string {
  switch (payload?.kind) {
    case 'packed-switch':
      return payload.targets.map((_, index) => hex(payload.firstKey + index)).join(' ');
    case 'sparse-switch':
      return payload.keys.map(hex).join(' ');
    case 'array-data': {
      // The byte that fills up the last code unit is printed too.
      const padded = payload.data.length % 2 === 0 ? payload.data : [...payload.data, 0];
      return Array.from(padded, (byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
    }
    default:
      return '';
  }
}

const escapes: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** A string as Python writes it: single quotes where it can, escapes for what cannot be printed. */
export function pythonLiteral(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  if (/^[\x20-\x26\x28-\x5b\x5d-\x7e]*$/.test(text)) return `'${text}'`;
  const body = text.replace(/[\\'\p{C}\p{Z}]/gu, (character) => {
    if (character === ' ') return character;
    if (character === "'") return quote === "'" ? "\\'" : character;
    const known = escapes[character];
    if (known !== undefined) return known;
    const code = character.codePointAt(0)!;
    if (code < 0x100) return `\\x${code.toString(16).padStart(2, '0')}`;
    return code < 0x10000 ? `\\u${code.toString(16).padStart(4, '0')}` : `\\U${code.toString(16).padStart(8, '0')}`;
  });
  return `${quote}${body}${quote}`;
}
