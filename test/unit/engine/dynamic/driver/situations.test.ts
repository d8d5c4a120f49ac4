import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { analyzeDynamic } from '../../../../../server/engine/dynamic/driver/run.ts';
import { staticEvidence } from '../../../../../server/engine/report-evidence.ts';
import { analyzeStatic } from '../../../../../server/engine/static/static-report.ts';
import { weighRisk } from '../../../../../server/services/triage/risk.ts';
import { memorySource } from '../../../../../server/vault/byte-source.ts';
import { assembleSituations } from '../../../../fixtures/dynamic/situations/assemble.ts';
import { type SituationName, situationApk, situations } from '../../../../fixtures/dynamic/situations/situations.ts';
import { missingTools } from '../../../../fixtures/java-tools.ts';

const declared = staticEvidence(
  analyzeStatic(memorySource(situationApk('Commanded')), { fileName: 'a.apk' }).androguard,
);

const names = Object.keys(situations) as SituationName[];

for (const name of names) {
  const { leaks } = situations[name];
  test(`${name}: ${leaks.length === 0 ? 'nothing leaks' : leaks.join(', ')}`, () => {
    const { dynamic } = analyzeDynamic(memorySource(situationApk(name)), { budget: { directedMilliseconds: 0 } });
    const found = dynamic.dataleaks.map(({ kind, tags }) => `${kind} ${tags.join('+').replaceAll('TAINT_', '')}`);
    const told = JSON.stringify({ crashes: dynamic.crashes, unmodelled: dynamic.unmodelled });
    assert.deepEqual(found.sort(), [...leaks].sort(), told);
    // They pass data around within the phone, or on one way once: nothing of that harms anybody by itself.
    const seen = { findings: [...declared.findings, ...(dynamic.findings ?? [])], uses: declared.uses };
    const { level, parts } = weighRisk({ ...seen, matches: [], antivirus: [] });
    assert.equal(level, 'low', JSON.stringify(parts));
    for (const { path, sink } of dynamic.dataleaks) assert.equal(path.at(-1), sink);
  });
}

test('the dex file is what smali makes of the situations', { skip: missingTools() }, async () => {
  const kept = readFileSync(new URL('../../../../fixtures/dynamic/situations/situations.dex', import.meta.url));
  assert.deepEqual(await assembleSituations(), kept);
});
