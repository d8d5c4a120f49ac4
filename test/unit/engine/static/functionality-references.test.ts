// Where functionalities stand in the code, when it is more than a report can hold.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Findings } from '../../../../server/engine/findings.ts';
import { FunctionalityReferences } from '../../../../server/engine/static/functionality-references.ts';

const reference = (length: number) => ({ class: 'LA;', method: 'm', code: 'x'.repeat(length) });

test('twenty thousand references of a functionality are listed, and a finding tells that there are more', () => {
  const findings = new Findings();
  const references = new FunctionalityReferences(findings);
  for (let index = 0; index < 20_010; index++) references.add('imei', reference(10));
  assert.equal(references.lists.imei?.length, 20_000);
  assert.deepEqual(findings.list(), [
    { code: 'report-cut', severity: 'info', where: 'functionalities imei', evidence: 'more than 20000 references' },
  ]);
});

test('megabytes of one functionality leave room for a thousand references of each other one', () => {
  const findings = new Findings();
  const references = new FunctionalityReferences(findings);
  for (let index = 0; index < 19_000; index++) references.add('ssl', reference(1000));
  for (let index = 0; index < 1000; index++) references.add('SMS', reference(1000));
  assert.ok(references.isCut('ssl'));
  assert.ok(references.lists.ssl!.length > 16_000);
  assert.equal(references.lists.SMS?.length, 1000);
  assert.ok(!references.isCut('SMS'));
});
