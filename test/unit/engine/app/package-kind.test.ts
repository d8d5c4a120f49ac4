// Files that are no app of their own: parts of apps, overlays, libraries, what apps are built from, other files.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FormatError } from '../../../../server/engine/formats/byte-reader.ts';
import { analyzeStatic } from '../../../../server/engine/static/static-report.ts';
import { memorySource } from '../../../../server/vault/byte-source.ts';
import { type AttributeValue, buildAxml, type ElementSpec, element } from '../../../fixtures/axml-builder.ts';
import { buildZip, type ZipEntryPlan } from '../../../fixtures/zip-builder.ts';

const manifest = (attributes: Record<string, AttributeValue>, ...children: ElementSpec[]): ZipEntryPlan => ({
  name: 'AndroidManifest.xml',
  content: buildAxml(element('manifest', { package: 'com.example.app', ...attributes }, ...children)),
});
const named = (...names: string[]): ZipEntryPlan[] => names.map((name) => ({ name, content: 'x' }));

const analyze = (entries: ZipEntryPlan[]) =>
  analyzeStatic(memorySource(buildZip({ entries })), { fileName: 'sample.apk' }).androguard;

/** Code and evidence of what is said of the kind of package. */
const kindOf = (...entries: ZipEntryPlan[]): string[] =>
  analyze(entries)
    .findings.filter(({ code }) => code.startsWith('package-'))
    .map(({ code, evidence }) => `${code}: ${evidence}`);

function refusalOf(bytes: Uint8Array): string {
  try {
    analyzeStatic(memorySource(bytes), { fileName: 'sample.apk' });
  } catch (error) {
    if (error instanceof FormatError) return error.message;
  }
  return '';
}

test('splits are reported as parts of an app, a base that needs them as incomplete, and a whole app as neither', () => {
  assert.deepEqual(kindOf(manifest({ split: 'config.de' })), ['package-split: configuration config.de']);
  assert.deepEqual(kindOf(manifest({ split: 'maps.config.hdpi', configForSplit: 'maps' })), [
    'package-split: configuration maps.config.hdpi of maps',
  ]);
  assert.deepEqual(kindOf(manifest({ split: 'maps', 'android:isFeatureSplit': true })), [
    'package-split: feature maps',
  ]);
  assert.equal(kindOf(manifest({ 'android:isSplitRequired': true })).length, 1);
  assert.equal(kindOf(manifest({ 'android:requiredSplitTypes': 'base__abi' })).length, 1);
  assert.deepEqual(kindOf(manifest({ 'android:isSplitRequired': false }, element('application'))), []);
});

test('what the manifest of a split leaves out is no finding, since its base says it', () => {
  const codesOf = (attributes: Record<string, AttributeValue>) =>
    analyze([manifest(attributes, element('application'))]).findings.map(({ code }) => code);
  const defaults = ['manifest-cleartext', 'manifest-old-target'];
  assert.deepEqual(
    codesOf({}).filter((code) => defaults.includes(code)),
    defaults,
  );
  assert.deepEqual(
    codesOf({ split: 'config.de' }).filter((code) => defaults.includes(code)),
    [],
  );
});

test('an overlay is reported with its target, its priority and whether it is on from the start', () => {
  const overlay = (attributes: Record<string, AttributeValue>) => manifest({}, element('overlay', attributes));
  assert.deepEqual(kindOf(overlay({ 'android:targetPackage': 'com.example.bank' })), [
    'package-overlay: com.example.bank, priority 0',
  ]);
  const whole = { 'android:targetName': 'Theme', 'android:priority': 5, 'android:isStatic': true };
  assert.deepEqual(kindOf(overlay({ 'android:targetPackage': 'android', ...whole })), [
    'package-overlay: android, Theme, priority 5, static',
  ]);
});

test('libraries of every kind are reported with their names and versions', () => {
  const library = (tag: string, attributes: Record<string, AttributeValue>) =>
    element('application', {}, element(tag, { 'android:name': 'com.example.lib', ...attributes }));
  assert.deepEqual(kindOf(manifest({}, library('static-library', { 'android:version': 3 }))), [
    'package-library: static library com.example.lib, version 3',
  ]);
  assert.deepEqual(kindOf(manifest({}, library('sdk-library', { 'android:versionMajor': 2 }))), [
    'package-library: SDK library com.example.lib, version 2',
  ]);
  assert.deepEqual(kindOf(manifest({}, library('library', {}))), ['package-library: shared library com.example.lib']);
});

test('a system module is recognised by its image', () => {
  assert.deepEqual(kindOf(manifest({}), ...named('apex_manifest.pb', 'apex_payload.img')), [
    'package-system-module: apex_payload.img',
  ]);
});

test('a module of a bundle and a library for developers are what apps are built from', () => {
  // XmlNode of Resources.proto: element (1) of 12 bytes with its name (3), and its place in the source (3).
  const protobuf = Buffer.concat([
    Buffer.from([0x0a, 12, 0x1a, 8]),
    Buffer.from('manifest'),
    Buffer.from('\0\0\x1a\x02\x08\x01'),
  ]);
  const module = [{ name: 'AndroidManifest.xml', content: protobuf }, ...named('resources.pb')];
  assert.deepEqual(kindOf(...module), ['package-unbuilt: resources.pb']);
  assert.deepEqual(
    analyze(module)
      .findings.map(({ code }) => code)
      .filter((code) => code.startsWith('axml-')),
    ['axml-protobuf'],
  );
  const text = { name: 'AndroidManifest.xml', content: '<manifest package="com.example.lib"/>' };
  assert.deepEqual(kindOf(text, ...named('classes.jar', 'R.txt')), ['package-unbuilt: classes.jar']);
});

test('archives without a manifest are refused as what their names say that they are', () => {
  const cases: [names: string[], message: RegExp][] = [
    [['info.json', 'base.apk', 'config.de.apk'], /container of APKs \(2: base\.apk …\)/],
    [['BundleConfig.pb', 'base/manifest/AndroidManifest.xml'], /an Android App Bundle/],
    [['manifest/AndroidManifest.xml', 'resources.pb'], /a module of an Android App Bundle/],
    [['apex_manifest.pb', 'original_apex'], /a system module \(APEX\) around original_apex/],
    [['assets/x'], /no AndroidManifest\.xml \(/],
  ];
  for (const [names, message] of cases) assert.match(refusalOf(buildZip({ entries: named(...names) })), message);
});

test('other files are refused as what their first bytes say that they are', () => {
  const cases: [content: string, message: RegExp][] = [
    ['dex\n035\0', /its content is dex/],
    ['Rar!\x1a\x07\0', /its content is rar/],
    // A v4 signature, `.idsig`: version 2, then hashing information of 45 bytes.
    ['\x02\0\0\0\x2d\0\0\0\x01\0\0\0\x0c'.padEnd(100, '\0'), /its content is apk-signature-v4/],
    ['<!DOCTYPE html><title>404</title>', /its content is html/],
    ['', /this file has 0/],
    ['PK\x03\x04 and many names, but no end', /truncated/],
    ['\x91\x92\x00\x93'.repeat(9), /no ZIP end record/],
  ];
  for (const [content, message] of cases) assert.match(refusalOf(Buffer.from(content, 'latin1')), message);
});
