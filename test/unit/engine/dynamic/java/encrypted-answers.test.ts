import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Sealing, setJavaHooks } from '../../../../../server/engine/dynamic/java/hooks.ts';
import { javaModels } from '../../../../../server/engine/dynamic/java/models.ts';
import { parseTransformation, runCipher } from '../../../../../server/engine/dynamic/java/security/ciphers.ts';
import type { HeapObject } from '../../../../../server/engine/dynamic/machine/heap.ts';
import { createMachine } from '../../../../../server/engine/dynamic/machine/machine.ts';

const key = Buffer.from('0123456789abcdef');
const iv = Buffer.from('fedcba987654');
const S = 'Ljava/lang/String;';

/** The encryption that a program's decryption undoes. @param tagLength of GCM, in bits */
function sealingOf(transformation: string, tagLength = 128): Sealing {
  const machine = createMachine({ dexFiles: [], models: [javaModels] });
  let met: Sealing | undefined;
  setJavaHooks(machine, {
    opened: (_content, sealing) => {
      met = sealing;
    },
  });
  machine.run(() => {
    const bytes = (data: Uint8Array) => machine.byteArray(data);
    const secret = machine.construct(
      'Ljavax/crypto/spec/SecretKeySpec;',
      `<init>([B${S})V`,
      bytes(key),
      machine.string('AES'),
    );
    const make = `getInstance(${S})Ljavax/crypto/Cipher;`;
    const cipher = machine.callStatic('Ljavax/crypto/Cipher;', make, machine.string(transformation)) as HeapObject;
    const init = 'init(ILjava/security/Key;Ljava/security/spec/AlgorithmParameterSpec;)V';
    const isGcm = transformation.includes('GCM');
    const spec = isGcm
      ? machine.construct('Ljavax/crypto/spec/GCMParameterSpec;', '<init>(I[B)V', tagLength, bytes(iv))
      : null;
    if (isGcm) machine.call(cipher, init, 2, secret, spec);
    else machine.call(cipher, 'init(ILjava/security/Key;)V', 2, secret);
    machine.call(cipher, 'doFinal([B)[B', bytes(Buffer.alloc(32)));
  });
  assert.ok(met !== undefined);
  return met;
}

const opened = (transformation: string, sealed: Uint8Array, vector: Uint8Array | null): string =>
  Buffer.from(
    runCipher(
      parseTransformation(transformation)!,
      false,
      { key, iv: vector, aad: new Uint8Array(0), tagLength: 128 },
      sealed,
    ),
  ).toString();

test('only ciphers of whole blocks have an answer filled up with blanks', () => {
  const order = Buffer.from('order');
  for (const [transformation, text] of [
    ['AES/GCM/NoPadding', 'order'],
    ['AES/ECB/PKCS5Padding', 'order'],
    ['AES/ECB/NoPadding', 'order           '],
  ] as const) {
    const sealing = sealingOf(transformation);
    assert.equal(opened(transformation, sealing.seal(order, sealing.vector), sealing.vector), text);
  }
});

test('an answer that cannot be encrypted as the app wants it stays as it is', () => {
  const sealing = sealingOf('AES/GCM/NoPadding', 24);
  assert.equal(Buffer.from(sealing.seal(Buffer.from('order'), sealing.vector)).toString(), 'order');
});
