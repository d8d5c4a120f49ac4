import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupFindings, isInLibrary } from '../../../renderer/pages/apk/summary/finding-groups.ts';
import type { Finding } from '../../../server/contract/findings/finding.ts';

const finding = (code: string, where: string, evidence = '', severity: Finding['severity'] = 'low'): Finding => ({
  code,
  severity,
  where,
  evidence,
});

test('a place is in a library by whole parts of its package, or by its class', () => {
  assert.ok(isInLibrary('Lcom/lib/A;->m()V', ['com.lib']));
  assert.ok(isInLibrary('classes2.dex:Lcom/lib/A$1;', ['com.lib.A']));
  for (const where of ['Lcom/library/A;', 'AndroidManifest.xml:activity:com.lib.A', '', 'Lcom/li;'])
    assert.ok(!isInLibrary(where, ['com.lib']), where);
});

test('findings stand by kind, the worst first, what is in libraries alone apart, the own code first in what is mixed', () => {
  const groups = groupFindings(
    [
      finding('a', 'Lcom/lib/A;'),
      finding('b', 'Lcom/lib/B;'),
      finding('b', 'Lapp/B;'),
      finding('c', '', 'x', 'critical'),
      finding('report-cut', 'strings'),
    ],
    ['com.lib'],
  );
  assert.deepEqual(
    groups.map(({ code, isOfLibraries, findings }) => [code, isOfLibraries, findings.map(({ where }) => where)]),
    [
      ['c', false, ['']],
      ['a', true, ['Lcom/lib/A;']],
      ['b', false, ['Lapp/B;', 'Lcom/lib/B;']],
    ],
  );
});

test('places that the report does not list count, and are no place themselves', () => {
  const [group] = groupFindings([finding('a', 'Lapp/A;'), finding('a', '', '120 more places')], []);
  assert.deepEqual([group!.total, group!.findings.length], [121, 1]);
});
