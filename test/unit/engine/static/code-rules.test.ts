import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CodeRule, codeRules } from '../../../../server/engine/static/code-rules.ts';
import { analyzeStatic } from '../../../../server/engine/static/static-report.ts';
import { memorySource } from '../../../../server/vault/byte-source.ts';
import { buildAxml, element } from '../../../fixtures/axml-builder.ts';
import { buildDex, type Pool } from '../../../fixtures/dex-builder.ts';
import { buildZip } from '../../../fixtures/zip-builder.ts';

const named = (members: Readonly<Record<string, string>> = {}) =>
  Object.entries(members).flatMap(([owner, names]) => names.split(' ').map((name) => ({ owner, name })));

/** Calls, reads and loads one after the other. */
const program = (
  { methods, fields, strings = [] }: CodeRule,
  ownerOf: (owner: string) => string,
  textOf: (text: string) => string,
) => ({
  registers: 1,
  units: (pool: Pool) => [
    ...named(methods).flatMap(({ owner, name }) => [0x0071, pool.method(ownerOf(owner), name, '()V'), 0]),
    ...named(fields).flatMap(({ owner, name }) => [0x0062, pool.field(ownerOf(owner), name, 'Landroid/net/Uri;')]),
    ...strings.flatMap((text) => [0x001a, pool.string(textOf(text))]),
    0x000e,
  ],
});

/** How often an app with the permissions that the rule asks for does what it names. */
function hitsOf(rule: CodeRule, code: ReturnType<typeof program>): number {
  const permissions = rule.permissions ?? [];
  const manifest = element(
    'manifest',
    { package: 'com.example.app' },
    ...permissions.map((name) => element('uses-permission', { 'android:name': `android.permission.${name}` })),
    element('application', {}),
  );
  const methods = [{ name: 'run', descriptor: '()V', accessFlags: 9, code }];
  const dex = buildDex({ classes: [{ descriptor: 'Lcom/example/app/Main;', methods }] });
  const entries = [
    { name: 'AndroidManifest.xml', content: buildAxml(manifest) },
    { name: 'classes.dex', content: dex },
  ];
  const { findings } = analyzeStatic(memorySource(buildZip({ entries })), { fileName: 'a.apk' }).androguard;
  return findings
    .filter((each) => each.code === rule.code)
    .reduce((sum, { where, evidence }) => sum + (where === '' ? Number(/\d+/.exec(evidence)![0]) : 1), 0);
}

for (const [place, rule] of codeRules.entries()) {
  test(`${rule.code} (${place}) is found at each interface and text that the rule names, not at others called alike`, () => {
    const wanted = named(rule.methods).length + named(rule.fields).length + (rule.strings ?? []).length;
    const same = (text: string) => text;
    assert.equal(hitsOf(rule, program(rule, same, same)), wanted);
    const own = program(
      rule,
      () => 'Lcom/example/app/Own;',
      (text) => `a text with ${text} in it`,
    );
    assert.equal(hitsOf(rule, own), 0);
  });
}
