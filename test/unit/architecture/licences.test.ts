// Which licences the check lets through.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lockedPackages } from '../../../server/app/papers/locked-packages.ts';
import { treeRoot } from '../../architecture/import-boundaries.ts';
import { licenceFaults } from '../../architecture/licences.ts';

const faultsOf = (licence: string | null, name = 'example', isShipped = true) =>
  licenceFaults(
    [
      {
        path: `node_modules/${name}`,
        name,
        version: '1.0.0',
        licence,
        integrity: null,
        isNeededByServer: isShipped,
        isOptional: false,
        needs: [],
      },
    ],
    new Set(isShipped ? [`node_modules/${name}`] : []),
  );

test('permissive licences pass, also as one of several to choose from and in any case of letters', () => {
  for (const licence of ['MIT', 'apache-2.0', '(WTFPL OR MIT)', 'GPL-3.0-only OR ISC', 'Apache-2.0 AND MIT']) {
    assert.deepEqual(faultsOf(licence), [], licence);
  }
});

test('copyleft, unknown words, exceptions and silence are refused, with a line that names the package', () => {
  for (const licence of [
    'GPL-3.0-or-later',
    'AGPL-3.0',
    'MIT AND GPL-2.0-only',
    'SEE LICENSE IN x',
    'UNLICENSED',
    '',
  ]) {
    assert.deepEqual(faultsOf(licence), [
      `example 1.0.0, which is shipped, is under ${licence}, which is not allowed (node_modules/example)`,
    ]);
  }
  assert.equal(faultsOf('Apache-2.0 WITH LLVM-exception').length, 1);
  assert.match(faultsOf(null)[0]!, /says nothing of its licence/);
});

test('what is let through for a tool alone is refused once anything of it is shipped', () => {
  assert.deepEqual(faultsOf('MPL-2.0', 'lightningcss-linux-x64-gnu', false), []);
  assert.equal(faultsOf('MPL-2.0', 'lightningcss-linux-x64-gnu', true).length, 1);
  assert.equal(faultsOf('GPL-3.0-only', 'lightningcss', false).length, 1);
  assert.equal(faultsOf('MPL-2.0', 'example', false).length, 1);
});

test('the lock file names every package with its version and what it needs', () => {
  const packages = lockedPackages(treeRoot);
  const express = packages.get('node_modules/express')!;
  assert.deepEqual([express.name, express.licence, express.isNeededByServer], ['express', 'MIT', true]);
  assert.ok(express.needs.includes('node_modules/router'));
  assert.equal(packages.get('node_modules/typescript')!.isNeededByServer, false);
  // It names its licence in the older way, which the lock file leaves out.
  assert.equal(packages.get('node_modules/busboy')!.licence, 'MIT');
});
