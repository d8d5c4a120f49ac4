import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type OnlyFiles, printBits } from '../../../../server/contract/engine/content-index.ts';
import type { AndroguardReport } from '../../../../server/contract/engine/reports.ts';
import { onceOfApk, type YaraResult } from '../../../../server/contract/engine/yara.ts';
import { walkFiles } from '../../../../server/engine/app/scanned-files.ts';
import { filePrints } from '../../../../server/engine/content-index/file-prints.ts';
import { Findings } from '../../../../server/engine/findings.ts';
import { analyzeStatic } from '../../../../server/engine/static/static-report.ts';
import { compileRulesets } from '../../../../server/engine/yara/collection.ts';
import { contentPlan } from '../../../../server/engine/yara/content-plan.ts';
import { openNativeEngine } from '../../../../server/engine/yara/engines/native-engine.ts';
import { openWasmEngine } from '../../../../server/engine/yara/engines/wasm-engine.ts';
import { androguardValues } from '../../../../server/engine/yara/modules/module-functions.ts';
import { packedReportPrints } from '../../../../server/engine/yara/report-prints.ts';
import { scanApk } from '../../../../server/engine/yara/scan.ts';
import { ContentLookup } from '../../../../server/store/content-index/content-lookup.ts';
import { Segment } from '../../../../server/store/content-index/segment.ts';
import { buildSegment } from '../../../../server/store/content-index/segment-building.ts';
import { memorySource } from '../../../../server/vault/byte-source.ts';
import { packJson } from '../../../../server/vault/packed-json.ts';
import { packPrints, unpackPrints } from '../../../../server/vault/packed-prints.ts';
import { realApks } from '../../../fixtures/real-apks.ts';
import { temporaryFolder } from '../../../fixtures/temporary-folder.ts';
import { buildZip } from '../../../fixtures/zip-builder.ts';
import { pickOf, type Random, randomNumbers } from '../../../fuzz/random.ts';

const engine = openNativeEngine() ?? openWasmEngine();
const folder = temporaryFolder('content-plan');

interface Indexed {
  bytes: Uint8Array;
  files: Uint8Array[];
  /** Printable runs of the files. */
  texts: string[];
  androguard: AndroguardReport | null;
  segment: Segment;
}

function indexed(name: string, bytes: Uint8Array, hasReport = true): Indexed {
  const path = join(folder, name);
  const androguard = hasReport ? analyzeStatic(memorySource(bytes), { fileName: 'a.apk' }).androguard : null;
  const ofReports = packedReportPrints(androguard && packJson(androguard));
  const files = unpackPrints(
    packPrints(filePrints(memorySource(bytes), [], ofReports, () => undefined)),
    2 ** printBits,
  );
  buildSegment(path, [{ id: 1, tag: 1, files: files! }]);
  const contents: Uint8Array[] = [];
  walkFiles(memorySource(bytes), {
    left: [],
    findings: new Findings(),
    progress: () => undefined,
    visit: (file) => contents.push(file.bytes),
  });
  const texts = contents.flatMap(
    (file) =>
      Buffer.from(file)
        .toString('latin1')
        .match(/[ -~]{20,80}/g) ?? [],
  );
  return { bytes, files: contents, texts, androguard, segment: new Segment(path) };
}

/** What scans of all files, and of the candidates alone, find; null: every file is one. */
function scans(
  apk: Indexed,
  rules: string,
): { all: YaraResult; candidates: OnlyFiles['ranges'] | null; some: YaraResult } {
  const collection = compileRulesets(engine, [{ id: 'r', rules }]);
  const scan = (only?: OnlyFiles) =>
    scanApk(memorySource(apk.bytes), collection, {
      reports: { androguard: apk.androguard, cuckoo: null, droidbox: null },
      ...{ left: [], rulesetTimeout: 60_000, progress: () => undefined },
      ...(only === undefined ? {} : { only }),
    });
  const { apks } = apk.segment;
  const plan = contentPlan(rules);
  const lookup = new ContentLookup(apk.segment);
  const ofReports = lookup.find(plan.of_reports)?.length !== 0;
  const groups = lookup.find(plan.steps);
  const found = groups?.map((group): [number, number] => [apks.startOf(0, group), apks.ends[group]!]) ?? null;
  // Both kinds of rules may match: all files are read.
  const candidates = ofReports && found?.length !== 0 ? null : found;
  const all = scan();
  const only = { files_count: apks.filesCounts[0]!, ranges: candidates ?? [], of_reports: ofReports };
  const some = candidates === null ? all : scan(only);
  collection.free();
  return { all, candidates, some };
}

/** Where no file is read, a rule that matches for all of them is told once. */
const onceEach = ({ rulesets }: YaraResult) =>
  rulesets.map((outcome) => ({ ...outcome, rules_matched: onceOfApk(outcome.rules_matched) }));

const hexOf = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(' ');

/** A piece of a file as a string of a rule, most of them texts that are there. */
function randomString({ files, texts }: Indexed, random: Random): string {
  const length = (random(8) === 0 ? 6 : 14) + random(20);
  const source = random(8) === 0 ? pickOf(files, random) : Buffer.from(pickOf(texts, random), 'latin1');
  const start = random(Math.max(1, source.length - length));
  const piece = source.subarray(start, start + length);
  const isPrinted = piece.length > 0 && piece.every((byte) => byte >= 0x20 && byte < 0x7f);
  if (!isPrinted || random(6) === 0) {
    const hex = hexOf(piece).split(' ');
    if (hex.length > 8 && random(2) === 0)
      hex[2 + random(hex.length - 4)] = pickOf(['??', '[1-3]', '( 61 | 62 )'], random);
    return `{ ${hex.join(' ')} }`;
  }
  const text = Buffer.from(piece).toString('latin1');
  if (random(4) === 0)
    return `/${text.replace(/[^A-Za-z0-9 ]/g, (sign) => `\\x${sign.charCodeAt(0).toString(16)}`)}${pickOf(['', '[a-z]?', '|absent text here'], random)}/${pickOf(['', 'i'], random)}`;
  const shown = random(3) === 0 ? text.toUpperCase() : text;
  const escaped = shown.replace(/["\\]/g, (sign) => `\\${sign}`);
  return `"${escaped}" ${pickOf(['', '', 'nocase', 'wide', 'ascii wide nocase', 'fullword', 'xor(0-3)'], random)}`;
}

function randomCondition(names: readonly string[], calls: readonly string[], random: Random, depth = 0): string {
  const name = pickOf(names, random);
  const inner = () => randomCondition(names, calls, random, depth + 1);
  if (depth > 2) return name;
  switch (random(11)) {
    case 0:
      return `(${inner()} and ${inner()})`;
    case 1:
      return `(${inner()} or ${inner()})`;
    case 2:
      return `not ${name}`;
    case 3:
      return `#${name.slice(1)} ${pickOf(['>', '>=', '==', '<'], random)} ${random(3)}`;
    case 4:
      return `@${name.slice(1)} ${pickOf(['<', '>'], random)} 5000`;
    case 5:
      return `${1 + random(names.length)} of them`;
    case 6:
      return `for any of them : (# > 1)`;
    case 7:
      return `(filesize < 100KB and ${inner()})`;
    case 8:
      return pickOf(calls, random);
    default:
      return name;
  }
}

/** A call of a module on what a report says, or does not quite say. */
function randomCall({ androguard }: Indexed, random: Random): string {
  const values =
    androguard === null ? [] : [...androguardValues(androguard)].filter(([, value]) => /^[\w.:/ -]+$/.test(value));
  const [path, value] =
    values.length === 0 ? (['androguard.url', 'http://a.example/'] as const) : pickOf(values, random);
  const start = random(3);
  const part = value.slice(start, value.length - random(4));
  const escaped = part.replace(/[./-]/g, '\\$&');
  if (random(2) === 0 || path.endsWith('sha1')) return `${path}("${random(3) === 0 ? value.toUpperCase() : value}")`;
  return `${path}(/${start === 0 && random(2) === 0 ? '^' : ''}${escaped}${pickOf(['', '', '[a-z]', '.*'], random)}/${pickOf(['', 'i'], random)})`;
}

/** What reports alone decide. */
function reportCondition(calls: readonly string[], random: Random): string {
  const call = pickOf(calls, random);
  return pickOf(
    [
      call,
      `not ${call}`,
      `(${call} and ${pickOf(calls, random)})`,
      `(${call} or androguard.min_sdk > ${random(30)})`,
      'androguard.permissions_number >= 0',
      'cuckoo.network.dns_lookup(/nobody/)',
    ],
    random,
  );
}

function randomRules(apk: Indexed, random: Random): string {
  const calls = Array.from({ length: 4 }, () => randomCall(apk, random));
  const rule = (index: number) => {
    if (random(3) === 0) return `rule r${index} { condition: ${reportCondition(calls, random)} }`;
    const names = Array.from({ length: 1 + random(3) }, (_, string) => `$s${string}`);
    const strings = names.map((name) => `${name} = ${randomString(apk, random)}`);
    const used = names.map((name) => `${name} in (0..filesize)`).join(' or ');
    return `rule r${index} { strings: ${strings.join('\n')} condition: ${randomCondition(names, calls, random)} or (filesize == 0 and (${used})) }`;
  };
  return `import "androguard"\nimport "cuckoo"\n${Array.from({ length: 1 + random(2) }, (_, index) => rule(index)).join('\n')}`;
}

test('the candidates for generated rules hold every match of a scan of all files, and a scan of them alone finds the same', () => {
  const text = (words: string) => new TextEncoder().encode(words);
  const apkOf = (files: Record<string, Uint8Array>) =>
    buildZip({ entries: Object.entries(files).map(([name, content]) => ({ name, content, method: 8 })) });
  const inner = apkOf({ 'classes.dex': text('dex\n035\0 a text that stands within an app within the app') });
  const built = apkOf({
    'AndroidManifest.xml': new Uint8Array(100),
    'assets/wide.bin': Uint8Array.from(Buffer.from('\0\u0001A Wide Text of many letters, and more\0\u0002', 'utf16le')),
    'assets/text.txt': text(`${'padding '.repeat(40)} http://evil.example/gate.php?id=1 and Ten letters`),
    'assets/inner.apk': inner,
  });
  const apks = [
    indexed('test', readFileSync(realApks.uiautomator2Test)),
    indexed('unlock', readFileSync(realApks.unlock)),
    indexed('built', built, false),
  ];
  let pruned = 0;
  let matching = 0;
  let unread = 0;
  for (let seed = 0; seed < 300; seed++) {
    const random = randomNumbers(seed);
    const apk = apks[seed % apks.length]!;
    const rules = randomRules(random(5) === 0 ? apks[(seed + 1) % apks.length]! : apk, random);
    const { all, candidates, some } = scans(apk, rules);
    if (all.rulesets[0]!.status === 'broken') continue;
    assert.deepEqual(onceEach(some), onceEach(all), `seed ${seed}\n${rules}`);
    if (all.rulesets[0]!.matches_count > 0) matching += 1;
    if (candidates !== null) pruned += 1;
    if (candidates?.length === 0 && all.rulesets[0]!.matches_count > 0) unread += 1;
  }
  const figures = { pruned, matching, unread };
  assert.ok(pruned > 40 && matching > 40 && unread > 10, JSON.stringify(figures));
});

test('a condition on reports alone leaves the APKs that meet it, and those whose reports are not known', () => {
  const bytes = readFileSync(realApks.unlock);
  const [known, unknown] = [indexed('known', bytes), indexed('unknown', bytes, false)];
  const found = ({ segment }: Indexed, condition: string) => {
    const rules = `import "androguard"\nrule r { condition: ${condition} }`;
    assert.deepEqual(new ContentLookup(segment).find(contentPlan(rules).steps), [], 'no file is looked at');
    return new ContentLookup(segment).find(contentPlan(rules).of_reports)?.length;
  };
  const files = known.segment.apks.groupsCount - 1;
  const { package_name: name } = known.androguard!;
  for (const [condition, expected] of [
    [`androguard.package_name("${name.toUpperCase()}")`, files],
    [`androguard.package_name("${name}2")`, 0],
    [`androguard.package_name(/${name.replaceAll('.', '\\.')}/)`, files],
    ['androguard.url("http://nobody.example/")', 0],
    ['androguard.permission(/android\\.permission\\.NO_SUCH_THING/)', 0],
  ] as const) {
    assert.equal(found(known, condition), expected, condition);
    assert.equal(found(unknown, condition), files, condition);
  }
  assert.equal(found(known, `not androguard.package_name("${name}")`), undefined);
  assert.equal(found(known, 'androguard.permission(/S.S/)'), undefined);
});

test('rules that come with the workstation match in the candidates as in all files', () => {
  const apk = indexed('demos', readFileSync(realApks.apiDemos));
  const resources = join(import.meta.dirname, '../../../../resources/rules');
  for (const name of readdirSync(resources).filter((file) => file.endsWith('.yar'))) {
    for (const rule of readFileSync(join(resources, name), 'utf8')
      .split(/^(?=(?:private )?rule )/m)
      .slice(1)) {
      const imports = '"androguard" "cuckoo" "droidbox" "file"'
        .split(' ')
        .map((module) => `import ${module}`)
        .join('\n');
      const { all, some } = scans(apk, `${imports}\n${rule}`);
      assert.deepEqual(onceEach(some), onceEach(all), rule);
    }
  }
});
