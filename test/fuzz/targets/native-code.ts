// Fuzz target: functions of a damaged native library, and their code.
import { readdirSync, readFileSync } from 'node:fs';
import { ExplorationFault } from '../../../server/engine/exploration/fault.ts';
import { prepareDisassembler } from '../../../server/engine/exploration/native/disassembler.ts';
import { nativeCodeOf, nativeFunctionsOf } from '../../../server/engine/exploration/native/native-code.ts';
import { nativeMethodsOf } from '../../../server/engine/exploration/native/native-methods.ts';
import { OpenedApp } from '../../../server/engine/exploration/opened-app.ts';
import { memorySource } from '../../../server/vault/byte-source.ts';
import { buildDex } from '../../fixtures/dex-builder.ts';
import { buildZip } from '../../fixtures/zip-builder.ts';
import { elfFields } from '../fields.ts';
import type { FuzzTarget } from '../target.ts';

await prepareDisassembler();

const path = 'lib/arm64-v8a/a.so';
const folder = new URL('../../fixtures/native/', import.meta.url);
const owner = 'Lorg/example/Crypto;';
const open = { name: 'open', descriptor: '()I', accessFlags: 0x101, isVirtual: true };
const dex = buildDex({ classes: [{ descriptor: owner, methods: [open] }] });
/** Functions of each library whose code is looked at. */
const functions = 20;

export const target: FuzzTarget = {
  subject: ['engine/exploration/native/', 'engine/formats/elf/'],
  samples: () =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.so'))
      .map((name) => readFileSync(new URL(name, folder))),
  hotspots: () => [0, 64, 128, 176],
  fields: elfFields,
  refusals: [ExplorationFault],
  run(bytes) {
    const entries = [
      { name: 'classes.dex', content: dex },
      { name: path, content: bytes },
    ];
    const app = new OpenedApp(memorySource(buildZip({ entries })));
    const { results } = nativeFunctionsOf(app, { path, search: '', jni: false, offset: 0, limit: functions });
    for (const { address } of results) {
      if (address !== null) nativeCodeOf(app, { path, address, limit: 100 });
    }
    nativeMethodsOf(app, { class: owner });
  },
};
