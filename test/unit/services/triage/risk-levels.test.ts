import assert from 'node:assert/strict';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { placeAddress } from '../../../../renderer/components/place/place-address.ts';
import type { FindingCode } from '../../../../server/contract/findings/finding-catalogue.ts';
import type { RiskLevel } from '../../../../server/contract/findings/risk.ts';
import { analyzeDynamic } from '../../../../server/engine/dynamic/driver/run.ts';
import { staticEvidence } from '../../../../server/engine/report-evidence.ts';
import { analyzeStatic } from '../../../../server/engine/static/static-report.ts';
import { compileRulesets } from '../../../../server/engine/yara/collection.ts';
import { openNativeEngine } from '../../../../server/engine/yara/engines/native-engine.ts';
import { openWasmEngine } from '../../../../server/engine/yara/engines/wasm-engine.ts';
import type { ModuleReports } from '../../../../server/engine/yara/modules/module-functions.ts';
import { scanApk } from '../../../../server/engine/yara/scan.ts';
import { weighRisk } from '../../../../server/services/triage/risk.ts';
import { memorySource } from '../../../../server/vault/byte-source.ts';
import { type TestAppName, testApk } from '../../../fixtures/dynamic/test-apps.ts';
import { realApks } from '../../../fixtures/real-apks.ts';
import { ruleHits, starterRuleHits } from '../../../fixtures/rule-hits.ts';
import { weaknessApk } from '../../../fixtures/weaknesses/weakness-apk.ts';

/** Honest apps: the reason for their score, and an argument for each high finding that they have. */
const honest: Record<keyof typeof realApks, { why: string; high: Partial<Record<FindingCode, string>> }> = {
  settings: { why: 'a tool of testers: reads messages and notifications, records the screen, types', high: {} },
  uiautomator2Server: {
    why: 'drives other apps by instrumentation, which it declares; signed with the public key',
    high: {},
  },
  uiautomator2Test: { why: 'the test that starts the server', high: {} },
  apiDemos: {
    why: 'shows all that Android can do: every ability, and no two of them for one end',
    high: {
      'weakness-world-accessible': 'an APK is copied to a file that every app can open, so that the installer reads it',
    },
  },
  minicap: { why: 'no permission and hardly any code', high: {} },
  unicodeIme: { why: 'a keyboard', high: {} },
  unlock: { why: 'turns the lock screen off', high: {} },
};

const reports = Object.entries(realApks).map(([name, path]) => {
  const bytes = readFileSync(path);
  return {
    name: name as keyof typeof realApks,
    bytes,
    ...analyzeStatic(memorySource(bytes), { fileName: `${name}.apk` }),
  };
});

test('the real APKs of the development dependencies are of low risk, with each high finding argued', () => {
  for (const { name, androguard } of reports) {
    const { why, high } = honest[name];
    const { score, level, parts } = weighRisk({ ...staticEvidence(androguard), matches: [], antivirus: [] });
    assert.equal(level, 'low', `${name}, ${why}: ${score} ${JSON.stringify(parts, null, 1)}`);
    const grave = androguard.findings.filter(({ severity }) => severity === 'high' || severity === 'critical');
    assert.deepEqual([...new Set(grave.map(({ code }) => code))], Object.keys(high), name);
  }
});

test('each rule hits the places of real APKs that are argued, and no others; each of them can be opened', () => {
  const hits = Object.fromEntries(Object.keys(ruleHits).map((code): [string, Record<string, number>] => [code, {}]));
  for (const { name, androguard } of reports) {
    for (const { code, where, evidence } of androguard.findings) {
      const more = where === '' ? /^(\d+) more place/.exec(evidence) : null;
      if (more === null && code !== 'report-cut') assert.ok(placeAddress('a', where), `${name} ${code} ${where}`);
      const counts = hits[code];
      if (counts !== undefined) counts[name] = (counts[name] ?? 0) + Number(more?.[1] ?? 1);
    }
  }
  assert.deepEqual(hits, Object.fromEntries(Object.entries(ruleHits).map(([code, [counts]]) => [code, counts ?? {}])));
});

test('each starter rule hits the real APKs that are argued, and no others', () => {
  const engine = openNativeEngine() ?? openWasmEngine();
  const folder = join(import.meta.dirname, '../../../../resources/rules');
  const rulesets = readdirSync(folder).map((id) => ({ id, rules: readFileSync(join(folder, id), 'utf8') }));
  const collection = compileRulesets(engine, rulesets);
  const hits: Record<string, Record<string, number>> = {};
  for (const { name, bytes, androguard, cuckoo } of reports) {
    const modules = { androguard, cuckoo: cuckoo as unknown as ModuleReports['cuckoo'], droidbox: null };
    const options = { reports: modules, rulesetTimeout: 60_000, progress: () => undefined };
    for (const { rules_matched } of scanApk(memorySource(bytes), collection, options).rulesets) {
      for (const rule of rules_matched) {
        const counts = hits[rule.name] ?? {};
        hits[rule.name] = { ...counts, [name]: (counts[name] ?? 0) + 1 };
      }
    }
  }
  assert.deepEqual(hits, Object.fromEntries(Object.entries(starterRuleHits).map(([rule, [counts]]) => [rule, counts])));
});

/**
 * Apps made for the tests, each with what its level stands on. Those of one behaviour each are in
 * `test/unit/engine/dynamic/driver/behaviours.test.ts`, those of one situation each in `situations.test.ts` beside it.
 */
const made: Record<TestAppName, readonly [level: RiskLevel, ...reasons: FindingCode[]]> = {
  // Sends the IMEI to a number by text message, directly, out of a string, or after a while.
  direct: ['elevated', 'behaviour-sends-identity', 'behaviour-sends-sms'],
  strings: ['elevated', 'behaviour-sends-identity', 'behaviour-sends-sms'],
  patience: ['elevated', 'behaviour-sends-identity', 'behaviour-sends-sms'],
  // The same out of code that it decrypts.
  packed: ['elevated', 'behaviour-loads-code', 'behaviour-sends-sms'],
  // Does so on orders by message, which it keeps from others.
  receiver: ['elevated', 'manifest-sms-receiver', 'behaviour-sends-sms'],
  // Sends what is typed as password by message.
  screens: ['elevated', 'behaviour-sends-password', 'behaviour-sends-sms'],
  // Sends a message that tells nothing.
  clean: ['low', 'behaviour-sends-sms'],
  bars: ['low', 'behaviour-sends-sms'],
  platform: ['low', 'behaviour-sends-sms'],
  // Loads code that does no harm, and passes data around within the phone.
  wrapped: ['low', 'behaviour-loads-code'],
  flows: ['low'],
};

test('apps that send what is private by text message are riskier than those that only send or load', () => {
  for (const [name, [level, ...reasons]] of Object.entries(made)) {
    const bytes = testApk(name as TestAppName);
    const { findings, uses } = staticEvidence(analyzeStatic(memorySource(bytes), { fileName: 'a.apk' }).androguard);
    const seen = analyzeDynamic(memorySource(bytes)).findings;
    const risk = weighRisk({ findings: [...findings, ...seen], uses, matches: [], antivirus: [] });
    assert.equal(`${name} ${risk.level}`, `${name} ${level}`, JSON.stringify(risk.parts, null, 1));
    const named = new Set(risk.parts.flatMap(({ evidence }) => evidence.map((each) => each.name)));
    assert.deepEqual(
      reasons.filter((reason) => !named.has(reason)),
      [],
      name,
    );
  }
});

const golden = join(import.meta.dirname, '../../../golden');
const folderOf = (path: string) => globSync('**/*.apk', { cwd: join(golden, path) }).map((name) => join(path, name));

/** Apps made for other tests, by folder: they do nothing, and each argument says why they are no worse for it. */
const still: Record<string, string> = {
  'apk-signature/apks': 'no code; signed in every way, also badly: a broken signature alone is no harm',
  manifest: 'declares everything that a manifest can, and has no code that would use it',
};

test('each APK kept among the golden files, and the one with every weakness, is of low risk', () => {
  const apks = Object.keys(still).flatMap((folder) => folderOf(folder).map((path) => [path, still[folder]!] as const));
  assert.deepEqual(apks.map(([path]) => path).sort(), folderOf('').sort(), 'each golden APK has its argument');
  const files = apks.map(([path, why]) => [path, why, readFileSync(join(golden, path))] as const);
  const all = [...files, ['weaknesses', 'weak in every way, which endangers its users alone', weaknessApk()] as const];
  for (const [name, why, bytes] of all) {
    const { androguard } = analyzeStatic(memorySource(bytes), { fileName: 'a.apk' });
    const { score, level, parts } = weighRisk({ ...staticEvidence(androguard), matches: [], antivirus: [] });
    assert.equal(level, 'low', `${name}, ${why}: ${score} ${JSON.stringify(parts, null, 1)}`);
  }
});
