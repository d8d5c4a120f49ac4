import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileNameOf } from '../../../renderer/components/file/save-file.ts';

test('a file is named after its APK, and of the name of what it holds only harmless letters stay', () => {
  assert.equal(fileNameOf('889ca0225e2db5ba', 'IP addresses'), '889ca0225e2d_IP_addresses');
  assert.equal(fileNameOf('889ca0225e2db5ba', '..\\\u202efdp.exe'), '889ca0225e2d__fdp_exe');
  assert.equal(fileNameOf('889ca0225e2db5ba', 'x'.repeat(300)).length, 73);
});
