import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Findings } from '../../../../../server/engine/findings.ts';
import { annotationsAt } from '../../../../../server/engine/formats/dex/annotations.ts';
import { openDex } from '../../../../../server/engine/formats/dex/dex.ts';
import { buildDex } from '../../../../fixtures/dex-builder.ts';

test('of annotation lists that lie over each other no more is read than the file has room for', () => {
  const before = buildDex({ classes: [{ descriptor: 'LA;' }] });
  const [methods, listSize] = [500, 1000];
  const directory = before.length;
  const lists = directory + 16 + 8 * methods;
  // The directory, a list for each method, four bytes behind the last one's, and numbers that are lengths and offsets in one.
  const words = [
    ...[0, 0, 0, methods],
    ...Array.from({ length: methods }, (_, index) => [index, lists + 4 * index]).flat(),
    ...Array.from({ length: methods + listSize }, () => listSize),
  ];
  const bytes = Buffer.concat([before, Buffer.from(Uint32Array.from(words).buffer)]);
  const findings = new Findings();
  const { ofParameters } = annotationsAt(openDex(bytes, findings, 'classes.dex'), directory);
  const references = [...ofParameters.values()].reduce((total, { length }) => total + length, 0);
  assert.equal(ofParameters.size, methods);
  assert.ok(references >= listSize && references <= bytes.length / 4, `${references} for ${bytes.length} bytes`);
  assert.ok(findings.has('dex-annotations'));
});
