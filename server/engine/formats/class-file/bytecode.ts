// The instructions of class files: how long each is, and what it does in the words that Dalvik has for it.
//
// https://docs.oracle.com/javase/specs/jvms/se21/html/jvms-6.html

/** Bytes behind the opcode; all others have none. */
const operandLengths: readonly (readonly [first: number, last: number, length: number])[] = [
  [0x10, 0x10, 1],
  [0x11, 0x11, 2],
  [0x12, 0x12, 1],
  [0x13, 0x14, 2],
  [0x15, 0x19, 1],
  [0x36, 0x3a, 1],
  [0x84, 0x84, 2],
  [0x99, 0xa8, 2],
  [0xa9, 0xa9, 1],
  [0xb2, 0xb8, 2],
  [0xb9, 0xba, 4],
  [0xbb, 0xbb, 2],
  [0xbc, 0xbc, 1],
  [0xbd, 0xbd, 2],
  [0xc0, 0xc1, 2],
  [0xc5, 0xc5, 3],
  [0xc6, 0xc7, 2],
  [0xc8, 0xc9, 4],
];

const lengths = new Uint8Array(256).fill(1);
for (const [first, last, length] of operandLengths) lengths.fill(1 + length, first, last + 1);

const tableSwitch = 0xaa;
const lookupSwitch = 0xab;
const wide = 0xc4;
const increment = 0x84;

/** The length of the instruction at `at`, in bytes; past the end where a switch says so. @param start of the method's code */
export function instructionLength(view: DataView, at: number, start: number): number {
  const opcode = view.getUint8(at);
  if (opcode === wide) return at + 1 < view.byteLength && view.getUint8(at + 1) === increment ? 6 : 4;
  if (opcode !== tableSwitch && opcode !== lookupSwitch) return lengths[opcode]!;
  const padded = at + 1 + (-(at + 1 - start) & 3);
  if (padded + 12 > view.byteLength) return Infinity;
  const first = view.getInt32(padded + 4);
  if (opcode === lookupSwitch) return first < 0 ? Infinity : padded + 8 + first * 8 - at;
  const last = view.getInt32(padded + 8);
  return last < first ? Infinity : padded + 12 + (last - first + 1) * 4 - at;
}

const types = ['int', 'long', 'float', 'double'];
/** The type of a one-dimensional array of numbers, by what `newarray` names it. */
export const primitiveArrays: Partial<Record<number, string>> = {
  ...{ 4: '[Z', 5: '[C', 6: '[F', 7: '[D', 8: '[B', 9: '[S', 10: '[I', 11: '[J' },
};

/** What an instruction does, by the name that Dalvik's has; null where that has none, or registers in its place. */
export const dalvikOperations: readonly (string | null)[] = (() => {
  const names: (string | null)[] = Array(256).fill(null);
  const arithmetic = (first: number, name: string) => {
    for (const [place, type] of types.entries()) names[first + place] = `${name}-${type}`;
  };
  const integers = (first: number, name: string) => {
    names[first] = `${name}-int`;
    names[first + 1] = `${name}-long`;
  };
  names.fill('aget', 0x2e, 0x36);
  for (const [place, name] of ['add', 'add', 'mul', 'div', 'rem', 'neg'].entries()) arithmetic(0x60 + place * 4, name);
  for (const [place, name] of ['shl', 'shr', 'ushr', 'and', 'or', 'xor'].entries()) integers(0x78 + place * 2, name);
  names[increment] = 'add-int';
  let conversion = 0x85;
  for (const from of types) for (const to of types) if (from !== to) names[conversion++] = `${from}-to-${to}`;
  for (const to of ['byte', 'char', 'short']) names[conversion++] = `int-to-${to}`;
  for (const [place, type] of ['long', 'float', 'float', 'double', 'double'].entries())
    names[0x94 + place] = `cmp-${type}`;
  names.fill('if', 0x99, 0xa7);
  names.fill('if', 0xc6, 0xc8);
  names.fill('switch', tableSwitch, lookupSwitch + 1);
  for (const [place, name] of ['sget', 'sput', 'iget', 'iput'].entries()) names[0xb2 + place] = name;
  names.fill('invoke', 0xb6, 0xba);
  for (const [place, name] of [
    'invoke-custom',
    'new-instance',
    'new-array',
    'new-array',
    'array-length',
    'throw',
  ].entries())
    names[0xba + place] = name;
  names[0xc1] = 'instance-of';
  names[0xc2] = 'monitor-enter';
  names[0xc3] = 'monitor-exit';
  return names;
})();
