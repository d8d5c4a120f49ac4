// The Dalvik opcode table: the one source for decoder, printers, code scan and interpreter. Knows no dex file.
//
// Formats: https://source.android.com/docs/core/runtime/instruction-formats
// Opcodes: https://source.android.com/docs/core/runtime/dalvik-bytecode

/** What an instruction's index points into. */
export type IndexKind =
  | 'none'
  | 'string'
  | 'type'
  | 'field'
  | 'method'
  | 'proto'
  | 'call-site'
  | 'method-handle'
  | 'method-and-proto';

/** Layout of an instruction: the first digit is its length in code units of 16 bits. */
export type InstructionFormat =
  | '10x'
  | '12x'
  | '11n'
  | '11x'
  | '10t'
  | '20t'
  | '22x'
  | '21t'
  | '21s'
  | '21h'
  | '21c'
  | '23x'
  | '22b'
  | '22t'
  | '22s'
  | '22c'
  | '30t'
  | '32x'
  | '31i'
  | '31t'
  | '31c'
  | '35c'
  | '3rc'
  | '45cc'
  | '4rcc'
  | '51l';

export interface Opcode {
  readonly value: number;
  readonly mnemonic: string;
  readonly format: InstructionFormat;
  /** In code units. */
  readonly length: number;
  readonly index: IndexKind;
  /** Execution can go on with the next instruction. */
  readonly canContinue: boolean;
  readonly canBranch: boolean;
  readonly canThrow: boolean;
  readonly isSwitch: boolean;
  readonly isInvoke: boolean;
  readonly isReturn: boolean;
  /** No dex version gives this value a meaning; it is one code unit long, as Android's own tools show it. */
  readonly isUnused: boolean;
}

/**
 * One line per opcode in use: value, mnemonic, format, kind of index, flags
 * (c can continue, b can branch, t can throw, s switch, i invoke, r return).
 */
const table = `
00 nop 10x - c
01 move 12x - c
02 move/from16 22x - c
03 move/16 32x - c
04 move-wide 12x - c
05 move-wide/from16 22x - c
06 move-wide/16 32x - c
07 move-object 12x - c
08 move-object/from16 22x - c
09 move-object/16 32x - c
0a move-result 11x - c
0b move-result-wide 11x - c
0c move-result-object 11x - c
0d move-exception 11x - c
0e return-void 10x - r
0f return 11x - r
10 return-wide 11x - r
11 return-object 11x - r
12 const/4 11n - c
13 const/16 21s - c
14 const 31i - c
15 const/high16 21h - c
16 const-wide/16 21s - c
17 const-wide/32 31i - c
18 const-wide 51l - c
19 const-wide/high16 21h - c
1a const-string 21c string ct
1b const-string/jumbo 31c string ct
1c const-class 21c type ct
1d monitor-enter 11x - ct
1e monitor-exit 11x - ct
1f check-cast 21c type ct
20 instance-of 22c type ct
21 array-length 12x - ct
22 new-instance 21c type ct
23 new-array 22c type ct
24 filled-new-array 35c type ct
25 filled-new-array/range 3rc type ct
26 fill-array-data 31t - ct
27 throw 11x - t
28 goto 10t - b
29 goto/16 20t - b
2a goto/32 30t - b
2b packed-switch 31t - cs
2c sparse-switch 31t - cs
2d cmpl-float 23x - c
2e cmpg-float 23x - c
2f cmpl-double 23x - c
30 cmpg-double 23x - c
31 cmp-long 23x - c
32 if-eq 22t - cb
33 if-ne 22t - cb
34 if-lt 22t - cb
35 if-ge 22t - cb
36 if-gt 22t - cb
37 if-le 22t - cb
38 if-eqz 21t - cb
39 if-nez 21t - cb
3a if-ltz 21t - cb
3b if-gez 21t - cb
3c if-gtz 21t - cb
3d if-lez 21t - cb
44 aget 23x - ct
45 aget-wide 23x - ct
46 aget-object 23x - ct
47 aget-boolean 23x - ct
48 aget-byte 23x - ct
49 aget-char 23x - ct
4a aget-short 23x - ct
4b aput 23x - ct
4c aput-wide 23x - ct
4d aput-object 23x - ct
4e aput-boolean 23x - ct
4f aput-byte 23x - ct
50 aput-char 23x - ct
51 aput-short 23x - ct
52 iget 22c field ct
53 iget-wide 22c field ct
54 iget-object 22c field ct
55 iget-boolean 22c field ct
56 iget-byte 22c field ct
57 iget-char 22c field ct
58 iget-short 22c field ct
59 iput 22c field ct
5a iput-wide 22c field ct
5b iput-object 22c field ct
5c iput-boolean 22c field ct
5d iput-byte 22c field ct
5e iput-char 22c field ct
5f iput-short 22c field ct
60 sget 21c field ct
61 sget-wide 21c field ct
62 sget-object 21c field ct
63 sget-boolean 21c field ct
64 sget-byte 21c field ct
65 sget-char 21c field ct
66 sget-short 21c field ct
67 sput 21c field ct
68 sput-wide 21c field ct
69 sput-object 21c field ct
6a sput-boolean 21c field ct
6b sput-byte 21c field ct
6c sput-char 21c field ct
6d sput-short 21c field ct
6e invoke-virtual 35c method cti
6f invoke-super 35c method cti
70 invoke-direct 35c method cti
71 invoke-static 35c method cti
72 invoke-interface 35c method cti
74 invoke-virtual/range 3rc method cti
75 invoke-super/range 3rc method cti
76 invoke-direct/range 3rc method cti
77 invoke-static/range 3rc method cti
78 invoke-interface/range 3rc method cti
7b neg-int 12x - c
7c not-int 12x - c
7d neg-long 12x - c
7e not-long 12x - c
7f neg-float 12x - c
80 neg-double 12x - c
81 int-to-long 12x - c
82 int-to-float 12x - c
83 int-to-double 12x - c
84 long-to-int 12x - c
85 long-to-float 12x - c
86 long-to-double 12x - c
87 float-to-int 12x - c
88 float-to-long 12x - c
89 float-to-double 12x - c
8a double-to-int 12x - c
8b double-to-long 12x - c
8c double-to-float 12x - c
8d int-to-byte 12x - c
8e int-to-char 12x - c
8f int-to-short 12x - c
90 add-int 23x - c
91 sub-int 23x - c
92 mul-int 23x - c
93 div-int 23x - ct
94 rem-int 23x - ct
95 and-int 23x - c
96 or-int 23x - c
97 xor-int 23x - c
98 shl-int 23x - c
99 shr-int 23x - c
9a ushr-int 23x - c
9b add-long 23x - c
9c sub-long 23x - c
9d mul-long 23x - c
9e div-long 23x - ct
9f rem-long 23x - ct
a0 and-long 23x - c
a1 or-long 23x - c
a2 xor-long 23x - c
a3 shl-long 23x - c
a4 shr-long 23x - c
a5 ushr-long 23x - c
a6 add-float 23x - c
a7 sub-float 23x - c
a8 mul-float 23x - c
a9 div-float 23x - c
aa rem-float 23x - c
ab add-double 23x - c
ac sub-double 23x - c
ad mul-double 23x - c
ae div-double 23x - c
af rem-double 23x - c
b0 add-int/2addr 12x - c
b1 sub-int/2addr 12x - c
b2 mul-int/2addr 12x - c
b3 div-int/2addr 12x - ct
b4 rem-int/2addr 12x - ct
b5 and-int/2addr 12x - c
b6 or-int/2addr 12x - c
b7 xor-int/2addr 12x - c
b8 shl-int/2addr 12x - c
b9 shr-int/2addr 12x - c
ba ushr-int/2addr 12x - c
bb add-long/2addr 12x - c
bc sub-long/2addr 12x - c
bd mul-long/2addr 12x - c
be div-long/2addr 12x - ct
bf rem-long/2addr 12x - ct
c0 and-long/2addr 12x - c
c1 or-long/2addr 12x - c
c2 xor-long/2addr 12x - c
c3 shl-long/2addr 12x - c
c4 shr-long/2addr 12x - c
c5 ushr-long/2addr 12x - c
c6 add-float/2addr 12x - c
c7 sub-float/2addr 12x - c
c8 mul-float/2addr 12x - c
c9 div-float/2addr 12x - c
ca rem-float/2addr 12x - c
cb add-double/2addr 12x - c
cc sub-double/2addr 12x - c
cd mul-double/2addr 12x - c
ce div-double/2addr 12x - c
cf rem-double/2addr 12x - c
d0 add-int/lit16 22s - c
d1 rsub-int 22s - c
d2 mul-int/lit16 22s - c
d3 div-int/lit16 22s - ct
d4 rem-int/lit16 22s - ct
d5 and-int/lit16 22s - c
d6 or-int/lit16 22s - c
d7 xor-int/lit16 22s - c
d8 add-int/lit8 22b - c
d9 rsub-int/lit8 22b - c
da mul-int/lit8 22b - c
db div-int/lit8 22b - ct
dc rem-int/lit8 22b - ct
dd and-int/lit8 22b - c
de or-int/lit8 22b - c
df xor-int/lit8 22b - c
e0 shl-int/lit8 22b - c
e1 shr-int/lit8 22b - c
e2 ushr-int/lit8 22b - c
fa invoke-polymorphic 45cc method-and-proto cti
fb invoke-polymorphic/range 4rcc method-and-proto cti
fc invoke-custom 35c call-site cti
fd invoke-custom/range 3rc call-site cti
fe const-method-handle 21c method-handle ct
ff const-method-type 21c proto ct
`;

function opcodeOf(value: number, line: string | undefined): Opcode {
  const [, mnemonic = `unused-${value.toString(16).padStart(2, '0')}`, format = '10x', index = '-', flags = 'c'] =
    line?.split(' ') ?? [];
  return {
    value,
    mnemonic,
    format: format as InstructionFormat,
    length: Number(format[0]),
    index: index === '-' ? 'none' : (index as IndexKind),
    canContinue: flags.includes('c'),
    canBranch: flags.includes('b'),
    canThrow: flags.includes('t'),
    isSwitch: flags.includes('s'),
    isInvoke: flags.includes('i'),
    isReturn: flags.includes('r'),
    isUnused: line === undefined,
  };
}

const lines = new Map(
  table
    .trim()
    .split('\n')
    .map((line) => [Number.parseInt(line, 16), line]),
);

/** All 256 opcodes by value. */
export const opcodes: readonly Opcode[] = Array.from({ length: 256 }, (_, value) => opcodeOf(value, lines.get(value)));

/** Length in code units by opcode, for loops that only walk. */
export const opcodeLengths = Uint8Array.from(opcodes, (opcode) => opcode.length);

/** Values of the opcodes that other code treats specially. */
export const opcodeValues: ReadonlyMap<string, number> = new Map(
  opcodes.map((opcode) => [opcode.mnemonic, opcode.value]),
);

/** First code unit of the data blocks that stand among instructions, each a `nop` with a high byte. */
export const payloadIdents = { packedSwitch: 0x0100, sparseSwitch: 0x0200, fillArrayData: 0x0300 } as const;

/**
 * Length in code units of the payload that starts at `units[at]`, 0 where there is none; may reach past `end`.
 * https://source.android.com/docs/core/runtime/dalvik-bytecode#packed-switch
 */
export function payloadLength(units: Uint16Array, at: number, end: number): number {
  const ident = units[at];
  if (ident === payloadIdents.packedSwitch) return at + 1 < end ? 4 + units[at + 1]! * 2 : 4;
  if (ident === payloadIdents.sparseSwitch) return at + 1 < end ? 2 + units[at + 1]! * 4 : 2;
  if (ident !== payloadIdents.fillArrayData) return 0;
  if (at + 3 >= end) return 4;
  const elements = units[at + 2]! + units[at + 3]! * 0x10000;
  return 4 + Math.floor((elements * units[at + 1]! + 1) / 2);
}
