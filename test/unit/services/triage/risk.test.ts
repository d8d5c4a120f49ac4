import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Finding, severities } from '../../../../server/contract/findings/finding.ts';
import { findingCatalogue } from '../../../../server/contract/findings/finding-catalogue.ts';
import { riskLevelOf, riskLevels } from '../../../../server/contract/findings/risk.ts';
import { shownTechniques, techniqueTable } from '../../../../server/services/techniques.ts';
import { type Evidence, gravestSeverity, weighRisk } from '../../../../server/services/triage/risk.ts';
import { findingWeight, pointsOf, riskWeights } from '../../../../server/services/triage/risk-weights.ts';

const nothing: Evidence = { findings: [], uses: [], matches: [], antivirus: [] };
const found = (code: keyof typeof findingCatalogue, severity = findingCatalogue[code].severity): Finding => ({
  code,
  severity,
  where: 'Lcom/a/B;->m()V',
  evidence: 'seen',
});
const times = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item);
const use = (name: string) => ({
  kind: 'permission' as const,
  name,
  count: 3,
  where: 'Lcom/a/B;->m()V',
  code: 'invoke',
});
const match = (rule: string, metadata: Record<string, unknown> = {}, isSocial = false) => ({
  ...{ ruleset: 'r', isSocial, rule, tags: [], metadata, file: '' },
});
const said = (antivirus: string, signature = 'Andr.Trojan.Agent') => ({ antivirus, signature });
const scoreOf = (evidence: Partial<Evidence>) => weighRisk({ ...nothing, ...evidence }).score;

const codes = Object.keys(findingCatalogue) as (keyof typeof findingCatalogue)[];

test('every finding that can be made has a weight with a reason, and every source that is named is described', () => {
  assert.deepEqual(
    codes.filter((code) => findingWeight(code) === null),
    [],
  );
  const { findings, permissions, combinations, rules, antivirus, sources, groups } = riskWeights();
  const named = [...findings, ...permissions, ...combinations, ...rules, ...antivirus].map(({ source }) => source);
  assert.deepEqual(
    named.filter((source) => !Object.hasOwn(sources, source)),
    [],
  );
  // A code that nothing makes would weigh nothing without anybody's notice.
  const known = (code: string) =>
    code.endsWith('*') ? codes.some((one) => one.startsWith(code.slice(0, -1))) : codes.includes(code as never);
  assert.deepEqual(
    findings.flatMap((row) => row.codes).filter((code) => !known(code)),
    [],
  );
  const combined = combinations.flatMap(({ all }) => all.flat()).filter((name) => name === name.toLowerCase());
  assert.deepEqual(
    combined.filter((code) => !known(code)),
    [],
  );
  assert.ok(Object.values(groups).every(({ reason }) => reason.length > 10));
});

test('nothing at all is no risk, and everything at once is all of it, to which the parts add up', () => {
  assert.deepEqual(weighRisk(nothing), { score: 0, level: 'low', parts: [] });
  const all: Evidence = {
    findings: codes.flatMap((code) => times(50, found(code, 'critical'))),
    uses: riskWeights().permissions.flatMap(({ permissions }) =>
      permissions.map((name) => use(`android.permission.${name}`)),
    ),
    matches: times(40, null).map((_, index) => match(`r${index}`, { malware: 'x' }, index % 2 === 0)),
    antivirus: times(60, null).map((_, index) => said(`engine ${index}`)),
  };
  const { score, level, parts } = weighRisk(all);
  assert.deepEqual([score, level], [100, 'critical']);
  assert.ok(Math.abs(parts.reduce((sum, { points }) => sum + points, 0) - 100) < parts.length * 0.05 + 0.5);
  assert.ok(parts.every(({ evidence, reason }) => evidence.length > 0 && evidence.length <= 10 && reason !== ''));
});

test('no single sign reaches the second level, however often it is there', () => {
  for (const code of codes) {
    for (const severity of severities) {
      const score = scoreOf({ findings: times(50, found(code, severity)) });
      assert.ok(score < riskLevels.elevated, `${code} ${severity}: ${score}`);
    }
  }
  assert.ok(scoreOf({ antivirus: [said('ClamAV')] }) < riskLevels.elevated);
  assert.ok(scoreOf({ matches: [match('r', { malware: 'x' }, true)] }) < riskLevels.elevated);
});

test('what an app could do, may do and does badly stays at the first level all together: none of it is malicious', () => {
  const findings = codes
    .filter((code) => ['abilities', 'weaknesses'].includes(findingWeight(code)?.group ?? ''))
    .flatMap((code) => times(20, found(code, 'critical')));
  const uses = riskWeights().permissions.flatMap(({ permissions }) => permissions.map(use));
  const { parts } = weighRisk({ ...nothing, findings, uses });
  const ordinary = parts.filter(({ group }) => group !== 'combinations');
  assert.ok(ordinary.reduce((sum, { points }) => sum + points, 0) < riskLevels.elevated);
});

test('more evidence never lowers the score, and five equal findings are not five times as bad', () => {
  let evidence = nothing;
  let score = 0;
  // In an order that mixes the groups, and is the same each time.
  const mixed = codes.toSorted((a, b) => (a.slice(-3) < b.slice(-3) ? -1 : 1));
  for (const code of mixed) {
    evidence = { ...evidence, findings: [...evidence.findings, found(code)] };
    const next = weighRisk(evidence).score;
    assert.ok(next >= score, `${code}: ${score} to ${next}`);
    score = next;
  }
  const pointsFor = (count: number) =>
    weighRisk({ ...nothing, findings: times(count, found('behaviour-hides-icon')) }).parts[0]!;
  assert.deepEqual([pointsFor(1).points, pointsFor(1).count], [14, 1]);
  assert.ok(pointsFor(5).points > 14 && pointsFor(5).points < 14 * 1.5);
  assert.equal(pointsFor(5).count, 5);
});

test('what is information in this case counts nothing where it is more in others', () => {
  assert.deepEqual(weighRisk({ ...nothing, findings: [found('code-dynamic-loading', 'info')] }).parts, []);
  assert.equal(scoreOf({ findings: [found('code-dynamic-loading', 'low')] }), 2);
});

test('abilities that hardly any honest app has together weigh more than each, and say which they are', () => {
  const each = ['code-send-sms', 'manifest-sms-receiver', 'code-abort-broadcast'] as const;
  const [first] = weighRisk({ ...nothing, findings: each.map((code) => found(code)) }).parts;
  assert.deepEqual([first?.group, first?.evidence.map(({ name }) => name)], ['combinations', [...each]]);
  const two = weighRisk({ ...nothing, findings: each.slice(1).map((code) => found(code)) });
  assert.ok(two.parts.every(({ group }) => group !== 'combinations'));
});

test('a rule counts by what it says of itself and who accepted it; one that only describes counts nothing', () => {
  const partsOf = (...matches: Evidence['matches']) => weighRisk({ ...nothing, matches }).parts;
  assert.deepEqual(partsOf(match('sms_sender', { description: 'Sends malware-like messages' })), []);
  const [family] = partsOf(match('anubis', { malware_family: 'Anubis' }));
  assert.deepEqual(family?.evidence, [{ kind: 'rule', name: 'anubis', where: '', text: 'r' }]);
  assert.ok(partsOf(match('a', {}, true))[0]!.points > family!.points);
  assert.ok(partsOf(match('a', { category: 'suspicious' }))[0]!.points < family!.points);
  assert.equal(partsOf({ ...match('a'), tags: ['Trojan'] })[0]!.points, family!.points);
  // Matching in many files it is one rule.
  assert.equal(partsOf(...times(9, match('anubis', { malware: 'x' })))[0]!.points, family!.points);
});

test('each further antivirus adds less than the one before, and what is only unwanted adds little', () => {
  const of = (count: number) => scoreOf({ antivirus: times(count, null).map((_, index) => said(`engine ${index}`)) });
  assert.ok(of(2) > of(1) && of(3) > of(2) && of(3) - of(2) < of(2) - of(1));
  assert.ok(scoreOf({ antivirus: [said('a', 'PUA.Andr.Adware.Dowgin-1')] }) < of(1));
});

test('levels go by the score, and the gravest finding gives the severity', () => {
  assert.deepEqual([0, 29, 30, 49, 50, 74, 75, 100].map(riskLevelOf), [
    ...['low', 'low', 'elevated', 'elevated', 'high', 'high', 'critical', 'critical'],
  ]);
  assert.equal(gravestSeverity([found('zip-empty-name', 'low'), found('zip-bomb', 'high')]), 'high');
  assert.equal(gravestSeverity([]), null);
});

test('every technique that a finding names is in the table, with tactics of the matrix, and is shown with what shows it', () => {
  const { techniques, tactics, permissions, functionalities } = techniqueTable();
  const named = [
    ...Object.values(findingCatalogue).flatMap(({ attack }) => attack),
    ...Object.values({ ...permissions, ...functionalities }).flat(),
  ];
  assert.deepEqual(
    named.filter((id) => techniques[id] === undefined),
    [],
  );
  assert.deepEqual(
    Object.keys(techniques).filter((id) => !named.includes(id)),
    [],
  );
  assert.ok(Object.values(techniques).every((one) => one.tactics.every((tactic) => tactics.includes(tactic))));
  const shown = shownTechniques({
    findings: [found('manifest-sms-receiver'), found('behaviour-hides-icon')],
    uses: [use('android.permission.READ_SMS')],
  });
  assert.deepEqual(
    shown.map(({ id, name, evidence }) => [id, name, evidence.map((one) => one.name)]),
    [
      ['T1628.001', 'Suppress Application Icon', ['behaviour-hides-icon']],
      ['T1636.004', 'SMS Messages', ['manifest-sms-receiver', 'android.permission.READ_SMS']],
    ],
  );
  assert.equal(pointsOf(findingWeight('behaviour-sends-sms')!, 'info'), 0);
});
