import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  base32,
  codeOfStep,
  keyUri,
  newRecoveryCodes,
  newSecret,
  plainRecoveryCode,
  stepAt,
  stepOfCode,
} from '../../../../server/services/people/one-time-codes.ts';

/** Of RFC 4226 appendix D and RFC 6238 appendix B. */
const secret = Buffer.from('12345678901234567890');
const second = 1_000_000;

test('codes are those of RFC 4226', () => {
  const codes = ['755224', '287082', '359152', '969429', '338314', '254676', '287922', '162583', '399871', '520489'];
  assert.deepEqual(
    codes.map((_, counter) => codeOfStep(secret, counter)),
    codes,
  );
});

test('times are those of RFC 6238, whose codes have two digits more', () => {
  const cases: [number, string][] = [
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ];
  for (const [time, code] of cases) assert.equal(codeOfStep(secret, stepAt(time * second)), code.slice(2), code);
});

test('a code is taken half a minute early or late, and no longer', () => {
  const now = 1_234_567_890 * second;
  const step = stepAt(now);
  for (const near of [-1, 0, 1]) assert.equal(stepOfCode(secret, codeOfStep(secret, step + near), now, 0), step + near);
  for (const far of [-2, 2]) assert.equal(stepOfCode(secret, codeOfStep(secret, step + far), now, 0), null);
});

test('no code is taken twice, nor one before it', () => {
  const now = 1_234_567_890 * second;
  const step = stepAt(now);
  for (const near of [-1, 0]) assert.equal(stepOfCode(secret, codeOfStep(secret, step + near), now, step), null);
  assert.equal(stepOfCode(secret, codeOfStep(secret, step + 1), now, step), step + 1);
});

test('what is no six digits is no code', () => {
  for (const text of ['', '12345', '1234567', '12345a', '-12345', '１２３４５６']) {
    assert.equal(stepOfCode(secret, text, 0, -2), null, text);
  }
});

test('base32 is that of RFC 4648', () => {
  assert.equal(base32(Buffer.from('fooba')), 'MZXW6YTB');
  assert.equal(base32(secret), 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
  assert.match(base32(newSecret()), /^[A-Z2-7]{32}$/);
});

test('an app reads issuer, account and secret from the address', () => {
  const uri = new URL(keyUri(secret, 'APK Workstation', 'an:na b'));
  assert.equal(uri.protocol, 'otpauth:');
  assert.equal(uri.href.split('?')[0], 'otpauth://totp/APK%20Workstation:an%3Ana%20b');
  assert.equal(uri.searchParams.get('secret'), base32(secret));
  assert.equal(uri.searchParams.get('issuer'), 'APK Workstation');
});

test('recovery codes differ, and are known however they are typed', () => {
  const codes = newRecoveryCodes();
  assert.equal(new Set(codes).size, 10);
  for (const code of codes) {
    assert.match(code, /^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/);
    assert.equal(plainRecoveryCode(` ${code.toUpperCase().replaceAll('-', ' ')} `), code.replaceAll('-', ''));
  }
  for (const text of ['123456', '', 'abcd-efgh', 'abcd-efgh-ijkl-mno1'])
    assert.equal(plainRecoveryCode(text), null, text);
});
