// Every value of real resource tables and every attribute of real manifests, compared with what aapt prints.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { isElement, type XmlNode } from '../../../../../server/engine/formats/axml/document.ts';
import { openManifest } from '../../../../fixtures/apk-manifest.ts';
import { realApks } from '../../../../fixtures/real-apks.ts';
import { systemTool } from '../../../../fixtures/system-tools.ts';

const kitchenSink = join(import.meta.dirname, '../../../../golden/manifest/kitchen-sink.apk');
const aapt = systemTool('aapt');
const run = (...words: string[]) =>
  spawnSync(aapt.path!, words, { encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 }).stdout;

/** Android's own resources: eleven thousand, of every kind. Debian's aapt brings them along. */
const framework = '/usr/share/android-framework-res/framework-res.apk';
const apks = [kitchenSink, realApks.apiDemos, realApks.settings, realApks.minicap, framework];

for (const path of apks.filter((each) => existsSync(each))) {
  test(`${basename(path)} has the resources that aapt prints`, { skip: aapt.skip }, () => {
    const { table } = openManifest(path);
    const expected = new Map<number, string[]>();
    const line = /^ +resource (0x[0-9a-f]{8}) [^:]+:(\S+): (?:t=0x(..) d=0x(.{8})|<bag>)/gm;
    for (const [, id, name, type, data] of run('dump', 'resources', path).matchAll(line)) {
      const values = expected.get(Number(id)) ?? [];
      values.push(type ? `${name} ${Number.parseInt(type, 16)}:${Number.parseInt(data!, 16)}` : `${name} bag`);
      expected.set(Number(id), values);
    }
    assert.ok(expected.size > 0);
    assert.deepEqual([...table!.ids()].sort(), [...expected.keys()].sort());
    for (const [id, values] of expected) {
      const found = table!.entries(id).map(({ value, bag }) => {
        assert.ok((value === null) !== (bag === null));
        return `${table!.nameOf(id)} ${value ? `${value.type}:${value.data}` : 'bag'}`;
      });
      assert.deepEqual(found, values);
    }
  });
}

for (const path of [kitchenSink, ...Object.values(realApks)]) {
  test(`${basename(path)} has the manifest elements that aapt prints`, { skip: aapt.skip }, () => {
    const { document } = openManifest(path);
    const found: string[] = [];
    const visit = (nodes: XmlNode[]) => {
      for (const node of nodes) {
        if (!isElement(node)) continue;
        found.push(`${node.name} ${node.line}`);
        for (const { name, resourceId } of node.attributes) found.push(`${name} ${resourceId}`);
        visit(node.children);
      }
    };
    visit(document.children);
    const expected = [
      ...run('dump', 'xmltree', path, 'AndroidManifest.xml').matchAll(
        /^ *(?:E: (\S+) \(line=(\d+)\)|A: (?:\w+:)?([\w-]+)(?:\((0x[0-9a-f]+)\))?=)/gm,
      ),
    ];
    assert.deepEqual(
      found,
      expected.map(([, name, at, attribute, id]) => (name ? `${name} ${at}` : `${attribute} ${Number(id ?? 0)}`)),
    );
  });
}
