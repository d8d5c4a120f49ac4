// Fuzz target: describing a native library.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Findings } from '../../../server/engine/findings.ts';
import { ElfFile } from '../../../server/engine/formats/elf/elf-file.ts';
import { startAndEnd, unwoundFunctions } from '../../../server/engine/formats/elf/function-starts.ts';
import { readElf } from '../../../server/engine/formats/elf/native-library.ts';
import { readProgramSymbols } from '../../../server/engine/formats/elf/program-symbols.ts';
import { buildElf } from '../../fixtures/elf-builder.ts';
import { realApks } from '../../fixtures/real-apks.ts';
import { elfFields } from '../fields.ts';
import type { FuzzTarget } from '../target.ts';

const symbols = [
  { name: 'open', isDefined: false },
  { name: 'JNI_OnLoad', isDefined: true },
  { name: 'Java_a_B_c', isDefined: true },
];
const library = join(dirname(dirname(realApks.minicap)), 'arm64-v8a/lib/android-30/minicap.so');

export const target: FuzzTarget = {
  subject: ['engine/formats/elf/'],
  samples: () => [
    buildElf({
      symbols,
      hash: 'gnu',
      soname: 'a.so',
      needed: ['libc.so'],
      hasSections: true,
      constants: Buffer.alloc(64, 'ab'),
    }),
    buildElf({ symbols, is64: false, isBigEndian: true, hash: 'sysv', soname: 'a.so' }),
    buildElf({ symbols, hash: 'none', mark: 'UPX!' }),
    readFileSync(library),
  ],
  hotspots: () => [0, 64, 128, 176],
  fields: elfFields,
  run(bytes) {
    readElf(bytes, 'lib/arm64-v8a/liba.so', new Findings());
    const file = new ElfFile(bytes, 'lib/arm64-v8a/liba.so', new Findings());
    startAndEnd(file, readProgramSymbols(file).relocations);
    unwoundFunctions(file);
  },
};
