// How the answer of `npm audit` is taken.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { auditResult } from '../../architecture/vulnerabilities.ts';

const answer = (severity: string) =>
  JSON.stringify({ vulnerabilities: { example: { severity, range: '<2', nodes: ['node_modules/example'] } } });
const shipped = new Set(['node_modules/example']);

test('a grave vulnerability in what is shipped is an error, any other a warning', () => {
  assert.deepEqual(auditResult(answer('high'), shipped), {
    lines: ['error: example <2, shipped: high'],
    isWell: false,
  });
  assert.equal(auditResult(answer('moderate'), shipped).isWell, true);
  assert.deepEqual(auditResult(answer('critical'), new Set()), {
    lines: ['warning: example <2, not shipped: critical'],
    isWell: true,
  });
  assert.deepEqual(auditResult('{"vulnerabilities":{}}', shipped), { lines: [], isWell: true });
});

test('a registry that refuses or cannot be reached keeps nobody from working, and one line says so', () => {
  for (const text of [null, '', 'not json', '{"message":"405 Method Not Allowed","error":{}}']) {
    const { lines, isWell } = auditResult(text, shipped);
    assert.deepEqual([lines.length, isWell], [1, true]);
    assert.match(lines[0]!, /^skipped: /);
  }
});
