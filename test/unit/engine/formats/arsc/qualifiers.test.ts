// Configurations in the words of resource folders, beside what aapt calls them.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { Findings } from '../../../../../server/engine/findings.ts';
import { qualifiersOf } from '../../../../../server/engine/formats/arsc/qualifiers.ts';
import { defaultConfig } from '../../../../../server/engine/formats/arsc/resource-config.ts';
import { parseResourceTable } from '../../../../../server/engine/formats/arsc/resource-table.ts';
import { openZip } from '../../../../../server/engine/formats/zip/archive.ts';
import { fileSource } from '../../../../../server/vault/byte-source.ts';
import { realApks } from '../../../../fixtures/real-apks.ts';
import { systemTool } from '../../../../fixtures/system-tools.ts';

const aapt = systemTool('aapt');
/** Android's own resources, which know most qualifiers; on Debian only. */
const framework = '/usr/share/android-framework-res/framework-res.apk';

function configurationsOf(path: string): string[] {
  const findings = new Findings();
  const archive = openZip(fileSource(path), findings);
  const table = parseResourceTable(archive.read(archive.get('resources.arsc')!), findings);
  const names = new Set<string>();
  for (const id of table.ids()) for (const { config } of table.entries(id)) names.add(qualifiersOf(config));
  return [...names].sort();
}

test('configurations are called as aapt calls them', { skip: aapt.skip }, () => {
  for (const path of [realApks.apiDemos, realApks.settings, framework]) {
    if (!existsSync(path)) continue;
    const { stdout } = spawnSync(aapt.path!, ['dump', 'configurations', path], {
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    });
    // The network code 00 stands as 65535 in the file, and aapt leaves it so.
    const told = stdout.replaceAll('mnc65535', 'mnc00').split('\n').slice(0, -1).sort();
    assert.deepEqual(configurationsOf(path), told, path);
  }
});

test('qualifiers of newer platforms are named', () => {
  const named = qualifiersOf({
    ...defaultConfig,
    grammaticalGender: 2,
    colorMode: 0b1010,
    screenLayout2: 2,
    language: 'sr',
    script: 'Latn',
    uiMode: 0x27,
  });
  assert.equal(named, 'b+sr+Latn-feminine-round-widecg-highdr-vrheadset-night');
});
