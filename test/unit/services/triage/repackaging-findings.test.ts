// Which of two APKs with the same code by different signers is taken for the copy.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Known } from '../../../../server/contract/catalogue/known.ts';
import { repackagingFindings } from '../../../../server/services/triage/repackaging-findings.ts';
import type { ApkRecord } from '../../../../server/store/repositories/apk-repository.ts';

type Told = Partial<Pick<ApkRecord, 'packageName' | 'verdict' | 'app' | 'company'>> & { lists?: Known['kind'][] };
const apk = (id: number, { lists = [], ...told }: Told = {}) =>
  ({
    ...{ id, sha256: String(id).repeat(64), app: 'Bank', packageName: 'com.bank', version: '1.2', company: 'ACME' },
    ...{ verdict: 'unknown', createdAt: Date.UTC(2026, 0, id) * 1000 },
    known: lists.map((kind) => ({ list: `my ${kind} ones`, kind, by: 'file', name: 'x' })),
    ...told,
  }) as ApkRecord;
const said = (one: ApkRecord, other: ApkRecord) =>
  repackagingFindings(one, [{ other, shared: 412, methods: 431 }]).map(
    ({ code, severity }) => `${code} ${severity}`,
  )[0];

test('the later one is the copy, more gravely under the same package name', () => {
  assert.equal(said(apk(2), apk(1)), 'repackaging-copy medium');
  assert.equal(said(apk(2, { packageName: 'com.bonk' }), apk(1)), 'repackaging-copy low');
  assert.equal(said(apk(1), apk(2)), 'repackaging-copied info');
});

test('what is known bad is the copy, what is known good is none', () => {
  assert.equal(said(apk(1), apk(2, { lists: ['good'] })), 'repackaging-copy high');
  assert.equal(said(apk(1), apk(2, { verdict: 'clean' })), 'repackaging-copy high');
  assert.equal(said(apk(1, { verdict: 'malicious' }), apk(2)), 'repackaging-copy medium');
  assert.equal(said(apk(2), apk(1, { lists: ['bad', 'good'] })), 'repackaging-copied info');
  for (const [one, other] of [
    [1, 2],
    [2, 1],
  ] as const)
    assert.equal(said(apk(one, { lists: ['good'] }), apk(other, { verdict: 'clean' })), 'repackaging-copied info');
});

test('the evidence names the other one, its signer, how much is the same, and why it counts as it does', () => {
  const [finding] = repackagingFindings(apk(2), [{ other: apk(1, { lists: ['good'] }), shared: 412, methods: 431 }]);
  assert.equal(finding?.where, `apk:${'1'.repeat(64)}`);
  assert.equal(
    finding.evidence,
    'Bank 1.2 (com.bank), signed by ACME; 412 of 431 own methods are the same; known good by the list "my good ones"; came here before this one, on 2026-01-01',
  );
  const long = apk(1, { app: 'x'.repeat(2000), company: '' });
  assert.equal(repackagingFindings(apk(2), [{ other: long, shared: 8, methods: 8 }])[0]?.evidence.length, 1000);
});
