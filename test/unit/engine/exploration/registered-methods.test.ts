// Methods that libraries register from tables, through each packing of relocations; strings of code that finds itself.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { prepareDisassembler } from '../../../../server/engine/exploration/native/disassembler.ts';
import { nativeCodeOf, nativeFunctionsOf } from '../../../../server/engine/exploration/native/native-code.ts';
import { nativeMethodsOf } from '../../../../server/engine/exploration/native/native-methods.ts';
import { OpenedLibrary } from '../../../../server/engine/exploration/native/opened-library.ts';
import { OpenedApp } from '../../../../server/engine/exploration/opened-app.ts';
import { memorySource } from '../../../../server/vault/byte-source.ts';
import { buildDex } from '../../../fixtures/dex-builder.ts';
import { buildZip } from '../../../fixtures/zip-builder.ts';

before(prepareDisassembler);

const native = (name: string, descriptor: string) => ({ name, descriptor, accessFlags: 0x101, isVirtual: true });
/** Two classes have both methods of the table; the library names the first. */
const dex = buildDex({
  classes: ['Lorg/example/Crypto;', 'Lorg/example/Other;', 'Lorg/example/Half;'].map((descriptor, index) => ({
    descriptor,
    methods: [native('open', '()I'), ...(index < 2 ? [native('close', '(I)I')] : [])],
  })),
});
const contentOf = (abi: string) => readFileSync(new URL(`../../../fixtures/native/${abi}.so`, import.meta.url));
const appOf = (abi: string) =>
  new OpenedApp(
    memorySource(
      buildZip({
        entries: [
          { name: 'classes.dex', content: dex },
          { name: `lib/${abi}/a.so`, content: contentOf(abi) },
        ],
      }),
    ),
  );

for (const [abi, packing] of [
  ['arm64-v8a', 'packed ones of Android and relative ones as bits'],
  ['armeabi-v7a', 'relative ones as bits'],
  ['x86', 'packed ones of Android'],
  ['x86_64', 'plain ones'],
] as const) {
  test(`${abi}: tables of methods are read through relocations, ${packing}`, () => {
    const app = appOf(abi);
    const path = `lib/${abi}/a.so`;
    const { results } = nativeFunctionsOf(app, { path, search: '', jni: true, offset: 0, limit: 100 });
    const owner = { class: 'Lorg/example/Crypto;' };
    assert.deepEqual(
      results
        .map(({ name, kind, java }) => [name, kind, java])
        .sort(([a], [b]) => ((a as string) < (b as string) ? -1 : 1)),
      [
        ['JNI_OnLoad', 'export', null],
        ['close(I)I', 'registered', { ...owner, method: 'close', parameters: 'I' }],
        ['open()I', 'registered', { ...owner, method: 'open', parameters: '' }],
        ['unknown([Ljava/lang/String;J)V', 'registered', null],
      ],
    );
    // And from the class to its functions.
    const found = nativeMethodsOf(app, owner).results;
    assert.deepEqual(
      found.map(({ method, parameters, address }) => [method, parameters, address]),
      ['open', 'close'].map((name) => {
        const { java, address } = results.find((one) => one.java?.method === name)!;
        return [name, java!.parameters, address];
      }),
    );
    assert.deepEqual(nativeMethodsOf(app, { class: 'Lorg/example/Other;' }).results, []);
  });

  test(`${abi}: what runs first, and every text of a loop, is named at its instruction`, () => {
    const app = appOf(abi);
    const path = `lib/${abi}/a.so`;
    const textsOf = (search: string) => {
      const [found] = nativeFunctionsOf(app, { path, search, jni: false, offset: 0, limit: 10 }).results;
      const { instructions } = nativeCodeOf(app, { path, address: found!.address!, limit: 200 });
      return instructions.flatMap(({ reference }) => (reference?.kind === 'string' ? [reference.text] : []));
    };
    assert.deepEqual(textsOf('init_array'), ['started']);
    assert.deepEqual(textsOf('open()I'), ['https://c2.example/gate']);
    assert.deepEqual(textsOf('close(I)I').sort(), ['all of them', 'each time', 'three']);
    // A call that only asks for the program counter leads to no function.
    const { results } = nativeFunctionsOf(app, { path, search: '', kind: 'called', jni: false, offset: 0, limit: 10 });
    assert.deepEqual(results, []);
  });
}

test('every word of a table is filled, also far behind the one before it', () => {
  for (const abi of ['arm64-v8a', 'armeabi-v7a', 'x86', 'x86_64']) {
    const opened = new OpenedLibrary(contentOf(abi), abi);
    const texts = [...opened.symbols.relocations.values()].map((one) =>
      'address' in one ? opened.stringAt(one.address) : null,
    );
    for (const text of ['second', 'forty', 'last', 'org/example/Crypto']) assert.ok(texts.includes(text), text);
    assert.equal(opened.isCut, false);
  }
});

test('packed relocations that say more than there is are read as far as they go, and said to be cut', () => {
  const content = contentOf('x86');
  const at = content.indexOf('APS2');
  content.fill(0xff, at + 4, at + 8);
  assert.equal(new OpenedLibrary(content, 'x86').isCut, true);
});
