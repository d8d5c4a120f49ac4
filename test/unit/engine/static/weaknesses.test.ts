import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { weaknessFindings } from '../../../../server/contract/findings/weakness.ts';
import { analyzeStatic } from '../../../../server/engine/static/static-report.ts';
import type { CallSite } from '../../../../server/engine/static/weaknesses/call-site.ts';
import { communicationRules } from '../../../../server/engine/static/weaknesses/communication-rules.ts';
import { cryptographyRules } from '../../../../server/engine/static/weaknesses/cryptography-rules.ts';
import { deputyRules } from '../../../../server/engine/static/weaknesses/deputy-rules.ts';
import { deviceRules } from '../../../../server/engine/static/weaknesses/device-rules.ts';
import { secretRules } from '../../../../server/engine/static/weaknesses/secret-rules.ts';
import { storageRules } from '../../../../server/engine/static/weaknesses/storage-rules.ts';
import { webViewRules } from '../../../../server/engine/static/weaknesses/web-view-rules.ts';
import { memorySource } from '../../../../server/vault/byte-source.ts';
import { missingTools } from '../../../fixtures/java-tools.ts';
import { compileWeaknesses } from '../../../fixtures/weaknesses/compile.ts';
import { weaknessApk, weaknessDex } from '../../../fixtures/weaknesses/weakness-apk.ts';

const weaknessesOf = (apk: Buffer) =>
  analyzeStatic(memorySource(apk), { fileName: 'a.apk' }).androguard.findings.filter(
    ({ code }) => code.startsWith('weakness-') || /^code-(?:root-command|hide-icon)$/.test(code),
  );
const found = weaknessesOf(weaknessApk());

/** `constant-key` of `Lb/Vulnerable;->constantKey2()Ljava/lang/Object;`, `Lb/Vulnerable$ConstantKey;->m()V`, `res/layout/constant-key.xml`. */
function nameOf(where: string): string {
  const [, inner, member] = /^(?:Lb\/\w+(?:\$(\w+))?;->|res\/layout\/)(\w+)/.exec(where)!;
  // A constant is written in capitals.
  const name = (inner ?? member!)
    .replace(/\d+$|Of$|Token$/, '')
    .replace(/^[A-Z]+$/, (capitals) => capitals.toLowerCase());
  return name.replace(/(?!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase();
}

test('each weakness is found in the method that has it, and nothing else there', () => {
  const wrong = found.filter(({ code, where }) => code.replace(/^\w+-/, '') !== nameOf(where));
  assert.deepEqual(wrong, []);
});

test('evidence names the call, by which its line is found in the code, and what it is given', () => {
  assert.equal(
    found.find(({ where }) => where.startsWith('Lb/Vulnerable;->cipher()'))?.evidence,
    'Ljavax/crypto/Cipher;->getInstance: "DES/CBC/PKCS5Padding" is broken or too short',
  );
});

test('no weakness is missed', () => {
  const places = new Set(found.map(({ where }) => where.slice(where.indexOf('/') + 1, where.indexOf('('))));
  const source = readFileSync(
    join(import.meta.dirname, '../../../fixtures/weaknesses/programs/Vulnerable.java'),
    'utf8',
  );
  const methods = [...source.matchAll(/^ {2}(?:private )?(?:static )?(?:boolean|void|Object) (\w+)\(/gm)].map(
    ([, name]) => `Vulnerable;->${name}`,
  );
  const classes = [...source.matchAll(/class (\w+) (?:extends|implements)/g)]
    .slice(1)
    .map(([, name]) => `Vulnerable$${name};`);
  const missed = [...methods, ...classes].filter(
    (name) => ![...places].some((place) => place === name || place.startsWith(name)),
  );
  assert.deepEqual(
    missed.filter((name) => !/setPassword|constantKey[46]|sql3|deputy[23]|pathTraversal2|Account/.test(name)),
    [],
    'what a method hands to another is found there',
  );
  const codes = new Set(found.map(({ code }) => code));
  assert.deepEqual(
    Object.keys(weaknessFindings).filter((code) => !codes.has(code)),
    [],
  );
});

test('each weakness has its safe twin', () => {
  const source = readFileSync(join(import.meta.dirname, '../../../fixtures/weaknesses/programs/Safe.java'), 'utf8');
  const twins = new Set(
    [...source.matchAll(/^ {2}(?:boolean|int|void|Object) (\w+)\(|^ {2}(?:public )?static class (\w+)/gm)].map(
      ([, method, inner]) => nameOf(`Lb/Safe;->${method ?? `${inner![0]!.toLowerCase()}${inner!.slice(1)}`}`),
    ),
  );
  const codes = Object.keys(weaknessFindings).map((code) => code.replace('weakness-', ''));
  assert.deepEqual(
    codes.filter((code) => !twins.has(code) && !['javascript-interface', 'tapjacking'].includes(code)),
    [],
    'that of the interface is a newer Android, that of the screen a layout',
  );
});

test('each rule finds its vulnerable program, and passes over a safe one', (context) => {
  const rules = [
    ...[...cryptographyRules, ...storageRules, ...secretRules],
    ...[...communicationRules, ...webViewRules, ...deputyRules, ...deviceRules],
  ];
  const judged = rules.map((rule) => {
    const places = { code: rule.code, calls: Object.keys(rule.calls)[0]!, isFound: false, isPassedOver: false };
    const judge = rule.judge.bind(rule);
    context.mock.method(rule, 'judge', (site: CallSite) => {
      const judgement = judge(site);
      if (judgement === null) places.isPassedOver ||= site.method.owner.startsWith('Lb/Safe');
      else places.isFound ||= site.method.owner.startsWith('Lb/Vulnerable');
      return judgement;
    });
    return places;
  });
  weaknessesOf(weaknessApk());
  assert.deepEqual(
    judged.filter(({ isFound, isPassedOver }) => !isFound || !isPassedOver),
    [
      { code: 'weakness-random', calls: 'Ljava/util/Random;', isFound: true, isPassedOver: false },
      {
        code: 'weakness-trust-manager',
        calls: 'Landroid/net/SSLCertificateSocketFactory;',
        isFound: true,
        isPassedOver: false,
      },
      { code: 'weakness-javascript-interface', calls: 'Landroid/webkit/WebView;', isFound: true, isPassedOver: false },
    ],
    'whether these hold, the name of the method, of the call, or the version of Android says before they judge',
  );
});

test('a constant whose name says that it is a password or key is one, the name of a key is not', () => {
  const constants = found.filter(({ where }) => /;->[A-Z_]+:/.test(where));
  assert.deepEqual(
    constants.map(({ code, where, evidence, severity }) => [code, where, evidence, severity]),
    [['weakness-secret', 'Lb/Vulnerable;->SECRET:Ljava/lang/String;', 'n0t-so-s3cret!', 'medium']],
  );
});

test('what is done as it should be is no weakness', () => {
  assert.deepEqual(
    found.filter(({ where }) => /\/safe/i.test(where)),
    [],
  );
});

test('from Android 4.2 on an interface for pages gives them what is marked for them alone, and is no weakness', () => {
  const later = weaknessesOf(weaknessApk(17));
  assert.ok(!later.some(({ code }) => code === 'weakness-javascript-interface'));
  assert.equal(later.length, found.length - 1);
});

test('the dex file is what javac and smali make of the programs', {
  skip: missingTools(),
}, async () => {
  assert.ok((await compileWeaknesses()).equals(weaknessDex()));
});
