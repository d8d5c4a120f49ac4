import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VirtualFiles } from '../../../../../server/engine/dynamic/machine/virtual-files.ts';
import { type PhoneShell, runCommand, shellOf } from '../../../../../server/engine/dynamic/world/shell.ts';

const installed: string[] = [];
const shell = (parts: Partial<PhoneShell>): PhoneShell => ({
  files: {} as VirtualFiles,
  hasRoot: false,
  isRoot: false,
  install: (path) => installed.push(path),
  ...parts,
});
const printed = (line: string, parts: Partial<PhoneShell> = {}): string | null => {
  const answer = runCommand([line], shell(parts));
  return answer === null ? null : Buffer.from(answer.output).toString();
};

test('su is there only on a phone that has root, and makes whoever asks root', () => {
  assert.equal(printed('su -c whoami'), null);
  assert.equal(printed('su -c whoami', { hasRoot: true }), 'root\n');
  assert.equal(printed("sh -c 'whoami'", { hasRoot: true }), 'u0_a217\n');
  assert.match(printed('/system/xbin/su -c "id"', { hasRoot: true }) ?? '', /^uid=0/);
});

test('only root installs apps', () => {
  assert.equal(printed('pm install -r /sdcard/a.apk'), '');
  assert.equal(printed('pm install -r /sdcard/a.apk', { isRoot: true }), 'Success\n');
  assert.deepEqual(installed, ['/sdcard/a.apk']);
});

test('shells read commands from their input unless they were given one', () => {
  assert.equal(shellOf(['su']), 'su');
  assert.equal(shellOf(['/system/bin/sh', '-']), 'sh');
  assert.equal(shellOf(['su -']), 'su');
  assert.equal(shellOf(['su', '-c', 'cat > /cache/x']), null);
  assert.equal(shellOf(['cat']), null);
});
