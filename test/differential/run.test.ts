// The comparison of any rules and files, as it is called from the command line.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { systemTool } from '../fixtures/system-tools.ts';

const folder = mkdtempSync(join(tmpdir(), 'yara-comparison-'));
after(() => rmSync(folder, { recursive: true }));
const rules = join(folder, 'rules.yar');
const files = join(folder, 'some files');
mkdirSync(files);
writeFileSync(join(files, 'a: b.txt'), 'text');
writeFileSync(join(files, 'c'), 'other');

function compare(text: string): { status: number | null; stdout: string; stderr: string } {
  writeFileSync(rules, text);
  return spawnSync(process.execPath, [join(import.meta.dirname, './run.ts'), rules, files], { encoding: 'utf8' });
}

describe('the comparison on the command line', systemTool('yara'), () => {
  test('counts what it compared, and ends with 0 where both agree', () => {
    const { status, stdout } = compare('rule r { strings: $a = "text" condition: $a }');
    assert.equal(status, 0);
    assert.match(stdout, /^2 scans compared with the \w+ engine, 0 differences;/);
  });

  test('ends with 2 where yara takes none of the rules, and tells why', () => {
    const { status, stderr } = compare('rule r { condition: $a }');
    assert.equal(status, 2);
    assert.match(stderr, /^yara refuses .*undefined string "\$a"/);
  });

  test('leaves out files that yara itself fails to scan', () => {
    const { status, stdout } = compare('rule r { strings: $a = "text" condition: #a in (5..3) > 0 }');
    assert.equal(status, 2);
    assert.match(stdout, /it failed to scan 2 times$/m);
  });
});
