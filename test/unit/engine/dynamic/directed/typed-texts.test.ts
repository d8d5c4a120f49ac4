import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analyzeDynamic } from '../../../../../server/engine/dynamic/driver/run.ts';
import { memorySource } from '../../../../../server/vault/byte-source.ts';
import { riddlesApk } from '../../../../fixtures/dynamic/directed/solvable.ts';

const { dynamic: report } = analyzeDynamic(memorySource(riddlesApk()));
/** By the screen, what the field's text is compared with, and what has to be typed. */
const asked = Object.fromEntries(
  (report.comparisons ?? []).map(({ source, text, input }) => [
    source.replace(/.* on b\.Riddles\$?/, ''),
    input === undefined ? [text] : [text, input],
  ]),
);

test('what a typed text is compared with is told, and what has to be typed, by whatever way the app goes', () => {
  assert.deepEqual(asked, {
    '': ['plain in the code', 'plain in the code'],
    Reversed: ['kept backwards', 'kept backwards'],
    Encoded: ['in base 64', 'in base 64'],
    EncodesInput: ['ZW5jb2RlZCBpbnB1dA==', 'encoded input'],
    Xored: ['xored', 'xored'],
    Letters: ['letme!', 'letme!'],
    Aes: ['sealed by AES', 'sealed by AES'],
    AesOfInput: ['1ekma78Xgdzo/fiw2wbawQ==', 'sealed input'],
    Sum: ['12352', '4115'],
    // Nobody knows what has this hash.
    Hashed: ['5ebe2294ecd0e0f08eab7690d2a6ee69'],
    Bytes: ['627974657321', 'bytes!'],
  });
});

test('what the app decrypts to compare it with stands among its uses of ciphers', () => {
  const [decrypted] = report.cryptousage.filter(({ operation }) => operation === 'decryption');
  assert.equal(decrypted?.result, 'sealed by AES');
  assert.equal(decrypted?.mode, 'ECB');
});
