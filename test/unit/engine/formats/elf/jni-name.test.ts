import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeJniName } from '../../../../../server/engine/formats/elf/jni-name.ts';

test('names of native functions give class and method', () => {
  assert.deepEqual(decodeJniName('Java_com_example_Crypto_decrypt'), {
    class: 'Lcom/example/Crypto;',
    method: 'decrypt',
    parameters: null,
  });
  assert.deepEqual(decodeJniName('Java_Top_run'), { class: 'LTop;', method: 'run', parameters: null });
});

test('escapes stand for underscores, other letters, and the signs of descriptors', () => {
  assert.deepEqual(decodeJniName('Java_my_1app_A_00024B_do_1it__ILjava_lang_String_2_3B'), {
    class: 'Lmy_app/A$B;',
    method: 'do_it',
    parameters: 'ILjava/lang/String;[B',
  });
  assert.deepEqual(decodeJniName('Java_a_B_over__'), { class: 'La/B;', method: 'over', parameters: '' });
});

test('other names are not taken for Java methods', () => {
  for (const name of ['JNI_OnLoad', 'Java_', 'Java_method', 'Java_a_B_', 'Java_a_B_0zzzz', '']) {
    assert.equal(decodeJniName(name), null, name);
  }
});
