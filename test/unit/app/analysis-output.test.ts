import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AnalysisLine, analysisOutput } from '../../../server/app/analysis-output.ts';

const line = (file: string, name: string, where: string): AnalysisLine => {
  const match = { name, tags: [], metadata: {}, file: where, files_count: 1, strings: [], strings_count: 0 };
  const outcome = {
    id: 'a.yar',
    status: 'done' as const,
    errors: [],
    files_scanned: 1,
    matches_count: 1,
    rules_matched: [match],
  };
  return {
    sha256: null,
    file,
    status: 'done',
    cuckoo: null,
    androguard: null,
    dynamic: null,
    children: null,
    yara: [{ ...outcome, rules_measured: [], code: 'done', message: '' }],
    findings: [],
    risk: null,
    timings: {},
  };
};

test('on a terminal rows appear as they come and fit into its width, ends of paths shown', () => {
  const output = analysisOutput('table', true, 60);
  const shown = output.show(line(`/a/very/long/path/to/some/folder/with/an/app.apk`, 'short', 'classes.dex'));
  const [title, row] = shown.trimEnd().split('\n');
  assert.match(title!, /^FILE +RULE +RULESET +WHERE$/);
  assert.match(row!, /^….*app\.apk +short +a\.yar +classes\.dex$/);
  assert.ok(row!.length <= 60 && row!.indexOf('short') === title!.indexOf('RULE'));
  assert.equal(output.end(), '');
});

test('letters that take two columns keep the table straight, and no name steers the terminal', () => {
  const output = analysisOutput('table', true, null);
  output.show(line('漢字.apk', '\u001b[31mred', 'x'));
  output.show(line('abcdef.apk', 'rule', 'x'));
  const [, first, second] = output.end().split('\n');
  assert.equal(first!.indexOf('\ufffd[31mred') + 2, second!.indexOf('rule'));
});

test('a finding names its CWE, MASVS and ATT&CK ids, and has empty lists where it has none', () => {
  const found = (code: string) => ({ code, severity: 'medium' as const, where: 'a', evidence: 'b' });
  const output = analysisOutput('jsonl', false, null);
  const findings = [found('weakness-cipher'), found('zip-bomb'), found('code-send-sms')];
  const shown = output.show({ ...line('a.apk', 'r', 'x'), findings });
  assert.deepEqual(JSON.parse(shown).findings, [
    { ...found('weakness-cipher'), cwe: ['CWE-327'], masvs: ['MASVS-CRYPTO-1'], attack: [] },
    { ...found('zip-bomb'), cwe: [], masvs: [], attack: [] },
    { ...found('code-send-sms'), cwe: [], masvs: [], attack: ['T1582'] },
  ]);
});
