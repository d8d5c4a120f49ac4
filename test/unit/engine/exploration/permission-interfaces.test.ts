import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../../resources/${name}`, import.meta.url), 'utf8'));

test('the table of what permissions guard names known permissions, descriptors of classes and plain names', () => {
  const { platform, vendor } = read('permissions.json');
  const guarded: Record<string, Record<string, Record<string, string>>> = read('permission-interfaces.json');
  const names = Object.keys(guarded);
  assert.deepEqual(names, [...names].sort());
  for (const [permission, { methods = {}, fields = {} }] of Object.entries(guarded)) {
    assert.ok(permission in platform || permission in vendor, permission);
    for (const [owner, members] of [...Object.entries(methods), ...Object.entries(fields)]) {
      assert.match(owner, /^L[\w/$]+;$/);
      assert.match(members, /^(?:<init>|\w+)(?: (?:<init>|\w+))*$/, `${owner} ${members}`);
      const list = members.split(' ');
      assert.equal(new Set(list).size, list.length, owner);
    }
  }
});
