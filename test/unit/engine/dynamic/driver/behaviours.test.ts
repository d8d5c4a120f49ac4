import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { DynamicReport } from '../../../../../server/contract/reports.ts';
import { analyzeDynamic } from '../../../../../server/engine/dynamic/driver/run.ts';
import { memorySource } from '../../../../../server/vault/byte-source.ts';
import { type BehaviourName, behaviourApk } from '../../../../fixtures/dynamic/behaviours/behaviours.ts';
import { compileBehaviours } from '../../../../fixtures/dynamic/behaviours/compile.ts';
import { systemTool } from '../../../../fixtures/system-tools.ts';

const reportOf = (name: BehaviourName): DynamicReport => analyzeDynamic(memorySource(behaviourApk(name))).dynamic;

/** What the app logged, each text once. @param tag of the log's lines */
const said = (report: DynamicReport, tag?: string): Set<string> =>
  new Set(report.log.filter((line) => tag === undefined || line.tag === tag).map(({ message }) => message));

const without = (wanted: readonly string[], found: ReadonlySet<string>): string[] =>
  wanted.filter((each) => !found.has(each));

const summaries = (report: DynamicReport, category: string): Set<string> =>
  new Set(report.timeline.filter((entry) => entry.category === category).map(({ summary }) => summary));

test('code unpacked by AES, DES, RC4 and XOR with GZIP is loaded by every kind of loader, run and kept', () => {
  const report = reportOf('Loader');
  assert.deepEqual(said(report, 'loaded'), new Set(['aes', 'des', 'rc4', 'xor', 'file']));
  assert.deepEqual(new Set(report.sendsms.map(({ message }) => message)), new Set(['from the payload']));
  assert.equal(new Set(report.artefacts.map(({ sha256 }) => sha256)).size, 1);
  const ciphers = new Set(
    report.cryptousage.map(({ algorithm, operation, key }) => `${algorithm} ${operation} ${key}`),
  );
  assert.deepEqual(
    ciphers,
    new Set([
      `AES/CBC/PKCS5Padding decryption ${[...Buffer.from('0123456789abcdef')].join(', ')}`,
      `DES/ECB/PKCS5Padding decryption ${[...Buffer.from('8bytekey')].join(', ')}`,
    ]),
  );
});

test('work handed to tasks, loopers, timers, executors, continuations, jobs and waiting threads is done', () => {
  const report = reportOf('Pulse');
  const wanted = [
    'task done',
    'pooled task done',
    'continuation woken pooled',
    'handled 7 8 aside',
    'timer',
    'scheduled',
    'third time',
    'once, then fails',
    'called',
    'supplied applied',
    'latch true',
    'woken by interrupt',
    'took from the queue',
    'waited a day',
    'own loop',
    'patient loop',
    'caught in vain',
    'job 7',
  ];
  assert.deepEqual(without(wanted, said(report)), []);
});

test('a service of accessibility meets screens of the apps it asks for, its keys and presses are told, its owner lets it', () => {
  const report = reportOf('Banker');
  assert.deepEqual(
    without(
      ['connected', 'Zulassen', 'button1', '[OK]', 'com.othertarget.bank', 'com.whatsapp com.whatsapp.Conversation'],
      said(report),
    ),
    [],
  );
  assert.ok(said(report, 'already').has('b.banker/b.Banker$Eye'));
  const acts = [...summaries(report, 'accessibility')];
  assert.ok(acts.includes('pressed "Zulassen" in com.android.settings'));
  assert.ok(acts.includes('asked the system for back'));
  assert.deepEqual(
    new Set(report.dataleaks.filter(({ kind }) => kind === 'sms').map(({ tags }) => tags.join('+'))),
    new Set(['TAINT_SCREEN', 'TAINT_PASSWORD+TAINT_SCREEN', 'TAINT_NOTIFICATION']),
  );
  const texts = report.sendsms.map(({ message }) => message);
  assert.ok(texts.some((text) => text.includes('Ihre TAN lautet 483920')));
  assert.ok(!JSON.stringify(report).includes('Sommer!2019'));
  assert.ok(summaries(report, 'notification').has('removed the notification 0|com.whatsapp|1|null|10143'));
  assert.deepEqual(report.unmodelled, []);
  assert.deepEqual(report.crashes, []);
});

const tools = [systemTool('javac'), systemTool('smali')];

test('the dex file is what javac and smali make of the programs', {
  skip: tools.map(({ skip }) => skip).find((skip) => skip !== false) ?? false,
}, () => {
  const kept = readFileSync(new URL('../../../../fixtures/dynamic/behaviours/behaviours.dex', import.meta.url));
  assert.ok(compileBehaviours(tools[0]!.path!, tools[1]!.path!).equals(kept));
});
