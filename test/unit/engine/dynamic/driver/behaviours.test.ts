import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { DynamicReport } from '../../../../../server/contract/engine/reports.ts';
import type { FindingCode } from '../../../../../server/contract/findings/finding-catalogue.ts';
import type { RiskLevel } from '../../../../../server/contract/findings/risk.ts';
import { analyzeDynamic } from '../../../../../server/engine/dynamic/driver/run.ts';
import { staticEvidence } from '../../../../../server/engine/report-evidence.ts';
import { analyzeStatic } from '../../../../../server/engine/static/static-report.ts';
import { weighRisk } from '../../../../../server/services/triage/risk.ts';
import { memorySource } from '../../../../../server/vault/byte-source.ts';
import { type BehaviourName, behaviourApk } from '../../../../fixtures/dynamic/behaviours/behaviours.ts';
import { compileBehaviours } from '../../../../fixtures/dynamic/behaviours/compile.ts';
import { missingTools } from '../../../../fixtures/java-tools.ts';

const reports = new Map<BehaviourName, DynamicReport>();

function reportOf(name: BehaviourName): DynamicReport {
  let report = reports.get(name);
  if (report === undefined) {
    report = analyzeDynamic(memorySource(behaviourApk(name)), { budget: { directedMilliseconds: 0 } }).dynamic;
    reports.set(name, report);
  }
  return report;
}

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

test('a decryption shows what came out, with its mode, its initialisation vector and its key in hex', () => {
  const loaded = reportOf('Loader').cryptousage.find(({ algorithm }) => algorithm.startsWith('AES'))!;
  assert.deepEqual(
    [loaded.operation, loaded.mode, loaded.key_hex, loaded.iv, loaded.result?.slice(0, 8)],
    [
      'decryption',
      'CBC',
      Buffer.from('0123456789abcdef').toString('hex'),
      Buffer.from('fedcba9876543210').toString('hex'),
      Buffer.from('dex\n').toString('hex'),
    ],
  );
});

test('requests stand whole beside what was answered, equal ones once with their number and their last time', () => {
  const { http = [], sendnet } = reportOf('Phish');
  const [sent] = http.filter(({ url }) => url === 'https://plain.example.net/pay');
  assert.match(sent!.request.head, /^POST \/pay HTTP\/1\.1\r\nHost: plain\.example\.net\r\n/);
  assert.match(sent!.request.body, /^card=\d+&pin=/);
  assert.deepEqual([sent!.answer.status, sent!.count! > 1, sent!.last! > sent!.time], [200, true, true]);
  const keys = sendnet.map(({ desthost, data, tid, dataleak }) => JSON.stringify([desthost, data, tid, dataleak]));
  assert.equal(new Set(keys).size, keys.length);
});

test('what the user and the system did stands before what the app then did', () => {
  const order = (report: DynamicReport, cause: RegExp, effect: RegExp) => {
    const words = report.timeline.map(({ category, summary }) => `${category}: ${summary}`);
    const [from, to] = [cause, effect].map((pattern) => words.findIndex((each) => pattern.test(each)));
    return from! >= 0 && from! < to!;
  };
  assert.ok(order(reportOf('Phish'), /^user: opened the screen$/, /^web: showed file:/));
  assert.ok(
    order(reportOf('Courier'), /^system: sent android\.provider\.Telephony\.SMS_RECEIVED$/, /^network: sent 390 /),
  );
  assert.ok(reportOf('Phish').timeline.some(({ summary }) => summary === 'left the phone alone for 3 days'));
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

test('an accessibility service that its owner allowed sees screens of the apps it asks for, and its key presses and clicks are reported', () => {
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

test('an unknown server answers, in JSON and in lines, with what the app turns out to wait for', () => {
  const report = reportOf('Remote');
  assert.ok(report.sendsms.some(({ number }) => number === '+491729968533'));
  const commands = new Set(report.commands.map(({ command }) => command));
  assert.deepEqual(without(['sh -c shell', 'su'], commands), []);
  assert.deepEqual(said(report, 'raw'), new Set(['recorded']));
  const leaks = new Set(report.dataleaks.map(({ tags, target }) => `${tags.join('+')} ${target}`));
  const wanted = [
    'TAINT_IMEI+TAINT_PACKAGE c2.example.net:80',
    'TAINT_DEVICE_SN 203.0.113.77:7771',
    'TAINT_ICCID 203.0.113.77:7771',
    'TAINT_PHONE_NUMBER c2.example.net:80',
  ];
  assert.deepEqual(without(wanted, leaks), []);
  assert.deepEqual(
    without(
      [
        'b.Remote$Work$1 trusts api.telegram.org without a valid certificate',
        'sent 4 bytes to tracker.example.org:5353',
      ],
      summaries(report, 'network'),
    ),
    [],
  );
});

test('nothing that betrays an emulator, a debugger or an analyst is found', () => {
  const report = reportOf('Evader');
  assert.deepEqual(said(report, 'found'), new Set(['[]']));
  assert.ok(report.sendsms.some(({ message }) => message === 'alone'));
});

test('clipboard, calls, camera, microphone, place, messages, screen and other apps are there to be watched', () => {
  const report = reportOf('Watcher');
  const sent = ['clip', 'call', 'photo', 'sound', 'place', 'inbox', 'screen'];
  assert.deepEqual(without(sent, said(report, 'sent')), []);
  assert.deepEqual(without(['1LenaLorenzBerLinExampLeAddressXy'], said(report, 'swapped')), []);
  assert.deepEqual(without(['com.whatsapp', 'de.sparbank.mobile'], said(report, 'front')), []);
  assert.deepEqual(said(report, 'paper'), new Set(['true', 'false']));
  const tags = new Set(report.dataleaks.filter(({ kind }) => kind === 'sms').flatMap((leak) => leak.tags));
  const wanted = ['CLIPBOARD', 'PHONE_NUMBER', 'CAMERA', 'MIC', 'LOCATION_NET', 'SMS'].map((tag) => `TAINT_${tag}`);
  assert.deepEqual(without(wanted, tags), []);
  assert.ok(summaries(report, 'clipboard').has('put in the clipboard: 1AttackerAddressAttackerAddress12'));
  assert.ok(summaries(report, 'screen').has('recorded the screen'));
  assert.ok(summaries(report, 'web').has('let pages call b.Watcher$Bridge as native'));
  assert.deepEqual(report.limits, []);
});

test('stubs that make room, hidden names, dates, pushed orders, extras and messages do not hide what waits behind them', () => {
  const report = reportOf('Agent');
  assert.deepEqual(without(['real'], said(report, 'shell')), []);
  const times = ['after the date', 'slept', 'hours later', 'days later', 'third start'];
  assert.deepEqual(without(times, said(report, 'time')), []);
  assert.deepEqual(without(['joined', 'native 0'], said(report, 'code')), []);
  assert.deepEqual(without(['lock'], said(report, 'order')), []);
  assert.deepEqual(without(['contacts'], said(report, 'push')), []);
  assert.deepEqual(without(['woken'], said(report, 'service')), []);
  assert.deepEqual(new Set(report.phonecalls.map(({ number }) => number)), new Set(['*100#']));
  const messages = new Set(report.sendsms.map(({ message }) => message));
  assert.deepEqual(without(['by hidden names', 'from the payload', '+491729968534: *lock*'], messages), []);
  assert.deepEqual(
    report.libraries.map(({ name }) => name),
    ['libshield.so'],
  );
  // It was written byte by byte.
  const [unpacked] = report.fileswritten.filter(({ name }) => name === '/data/data/b.agent/cache/x.dex');
  assert.ok(unpacked?.data.startsWith(Buffer.from('dex\n035\0').toString('hex')));
  assert.deepEqual(report.limits, []);
});

test('pages command what the app has marked for them, calls are ended by hidden methods, and a microphone never rests', () => {
  const report = reportOf('Dialer');
  assert.deepEqual(said(report, 'page'), new Set(['script']));
  assert.deepEqual(new Set(report.sendsms.map(({ message }) => message)), new Set(['YES 1']));
  assert.deepEqual(new Set(report.phonecalls.map(({ number }) => number)), new Set(['0900', 'script0900']));
  assert.ok(summaries(report, 'call').has('ended a call'));
  const leaks = new Set(report.dataleaks.map(({ tags, target }) => `${tags.join('+')} ${target}`));
  const wanted = [
    'TAINT_IMSI /storage/emulated/0/.sys.dat',
    'TAINT_IMSI x-gate.example.org:80',
    'TAINT_MIC /data/data/b.dialer/files/sound.pcm',
  ];
  assert.deepEqual(without(wanted, leaks), []);
  assert.ok(
    report.cryptousage.some(({ algorithm, data }) => algorithm === 'AES/GCM/NoPadding' && /^\d{15}$/.test(data)),
  );
  assert.deepEqual(report.crashes, []);
  assert.deepEqual(report.unmodelled, []);
});

test('a phone is taken hostage: administrator, hidden icon, files encrypted, a further app downloaded and installed', () => {
  const report = reportOf('Locker');
  assert.deepEqual(without(['enabled', 'already', 'about to be disabled'], said(report, 'admin')), []);
  assert.deepEqual(
    summaries(report, 'device-admin'),
    new Set(["changed the screen lock's password", 'locked the screen']),
  );
  assert.ok(summaries(report, 'component').has('disabled b.Locker, which hides the icon'));
  const locked = report.filesdeleted.map(({ name }) => name);
  assert.ok(locked.includes('/storage/emulated/0/Documents/Notizen.txt'));
  const ciphers = new Set(report.cryptousage.map(({ algorithm, operation }) => `${algorithm} ${operation}`));
  const wanted = ['AES encryption', 'RSA/ECB/PKCS1Padding encryption', 'HmacSHA256 mac', 'PBKDF2WithHmacSHA1 derive'];
  assert.deepEqual(without(wanted, ciphers), []);
  const file = '/data/data/b.locker/files/next.apk';
  assert.deepEqual(summaries(report, 'install'), new Set([`asked to install ${file}`, 'installs base.apk']));
  assert.deepEqual(
    new Set(report.artefacts.map(({ kind, path }) => `${kind} ${path}`)),
    new Set([`apk ${file}`, 'apk base.apk']),
  );
  const download = 'downloaded http://drop.example.net/next.apk to /storage/emulated/0/Download/next.apk';
  assert.ok(summaries(report, 'download').has(download));
  assert.ok(said(report, 'boot').has('android.intent.action.BOOT_COMPLETED'));
  assert.ok(said(report, 'done').size > 0);
});

test('what an app has a root shell do is told line by line, once there is root to be had', () => {
  const report = reportOf('Rooter');
  assert.deepEqual(
    without(
      ['rooted false', 'rooted true', 'refused piped', 'ended piped 0', 'who root'],
      new Set(report.log.map(({ tag, message }) => `${tag} ${message}`)),
    ),
    [],
  );
  const commands = new Set(report.commands.map(({ command }) => command));
  assert.deepEqual(
    without(
      [
        'su -c id',
        'su -c mount -o rw,remount /system',
        'su -c pm install -r /data/data/b.rooter/files/next.apk',
        'su -c pm disable com.android.vending',
        'su -c reboot',
        'su -c whoami',
      ],
      commands,
    ),
    [],
  );
  assert.deepEqual(
    report.artefacts.map(({ kind, path }) => `${kind} ${path}`),
    ['apk /data/data/b.rooter/files/next.apk'],
  );
  assert.deepEqual(
    report.dataleaks.map(({ kind, tags }) => `${kind} ${tags.join('+')}`),
    ['command TAINT_DEVICE_SN'],
  );
});

test('a picture of the newer camera and a film of the screen are sent with their taint', () => {
  const report = reportOf('Lens');
  assert.deepEqual(said(report, 'captured'), new Set(['1']));
  assert.deepEqual(
    new Set(report.dataleaks.map(({ tags, target }) => `${tags.join('+')} ${target}`)),
    new Set([
      'TAINT_CAMERA lens.example.net:443',
      'TAINT_SCREEN /data/data/b.lens/files/film.mp4',
      'TAINT_SCREEN film.example.net:443',
    ]),
  );
  assert.deepEqual([...summaries(report, 'camera')], ['opened the camera 1', 'took a picture']);
  assert.deepEqual(report.unmodelled, []);
});

test('orders that a server has to seal with keys of the app come as it opens them, whole answers and values in them', () => {
  const orders = new Set(reportOf('Sealed').sendsms.map(({ message }) => message));
  assert.deepEqual(
    orders,
    new Set(['coded message', 'keyed spread', 'vector wake', 'enveloped vanish', 'homemade call', 'mixed stir']),
  );
});

test('a bot of a chat gives the orders that the app waits for, in lists of what it answers', () => {
  const report = reportOf('Courier');
  assert.deepEqual(new Set(report.sendsms.map(({ message }) => message)), new Set(['burnt', 'spread']));
  assert.ok(summaries(report, 'content').has('asked content://sms/inbox'));
  assert.ok(summaries(report, 'component').has('disabled b.Courier, which hides the icon'));
  assert.deepEqual(
    new Set(report.dataleaks.map(({ tags, target }) => `${tags.join('+')} ${target}`)),
    new Set(['TAINT_SMS api.telegram.org:443']),
  );
});

test('a payment card that is held to the phone is read and passed on, and what a terminal asks the phone', () => {
  const report = reportOf('Relay');
  assert.deepEqual(
    summaries(report, 'nfc'),
    new Set(['asked a card 00a404000e325041592e5359532e444446303100', 'asked a card 00b2010c00']),
  );
  const sent = (host: string) => report.sendnet.filter(({ desthost }) => desthost === host);
  for (const host of ['card', 'record', 'id']) {
    assert.ok(sent(`${host}.example.net`).some(({ dataleak }) => dataleak?.includes('TAINT_NFC')));
  }
  assert.ok(sent('terminal.example.net').some(({ data }) => data.startsWith('00a40400')));
});

test('an app installed by a session is kept, its installer told of the question, the consent, and the app', () => {
  const report = reportOf('Dropper');
  assert.deepEqual(said(report, 'status'), new Set(['-1', '0']));
  assert.deepEqual(
    without(
      ['asked for android.content.pm.action.CONFIRM_INSTALL', 'asked for com.example.dropped.Main'],
      summaries(report, 'intent'),
    ),
    [],
  );
  assert.deepEqual(
    report.artefacts.map(({ kind }) => kind),
    ['apk'],
  );
});

test('somebody else sees the screen, acts on it, and covers the apps whose names the app keeps in a table', () => {
  const report = reportOf('Puppet');
  const leaks = new Set(
    report.dataleaks.flatMap(({ tags, target }) => target.split(', ').map((to) => `${tags} ${to}`)),
  );
  assert.deepEqual(
    without(
      [
        'TAINT_SCREEN show.example.net:8765',
        'TAINT_SCREEN hands.example.net:8766',
        'TAINT_PASSWORD keys.example.net:8765',
      ],
      leaks,
    ),
    [],
  );
  assert.deepEqual(
    without(['asked the system for home', 'made a gesture on the screen'], summaries(report, 'accessibility')),
    [],
  );
  assert.ok(summaries(report, 'web').has('showed https://pages.example.net/bank.html'));
  assert.deepEqual(report.unmodelled, []);
});

test('what is copied, seen and told is followed to where it goes, and what only lies beside it is not called leaking', () => {
  const report = reportOf('Flows');
  const hosts = new Set(report.opennet.map(({ desthost }) => desthost.replace('.example.net', '')));
  const leaking = new Set(
    report.dataleaks.flatMap(({ target }) => target.split(', ').map((each) => each.replace('.example.net:443', ''))),
  );
  assert.deepEqual([...leaking].sort(), [...hosts].filter((host) => host.startsWith('dirty-')).sort());
  assert.equal([...hosts].filter((host) => host.startsWith('clean-')).length, 19);
  const tags = new Set(report.dataleaks.flatMap((leak) => leak.tags));
  assert.deepEqual(tags, new Set(['TAINT_CLIPBOARD', 'TAINT_SCREEN', 'TAINT_PASSWORD', 'TAINT_NOTIFICATION']));
});

test('neither instruments nor root and what hides it are found', () => {
  const report = reportOf('Guarded');
  assert.deepEqual(said(report, 'found'), new Set(['[]']));
  assert.ok(report.sendsms.some(({ message }) => message === 'unwatched'));
});

test("an app's own pages have their links followed and their forms filled in", () => {
  const report = reportOf('Phish');
  const web = summaries(report, 'web');
  assert.ok(web.has('a form sends card, pin to https://plain.example.net/pay'));
  assert.ok(web.has('showed file:///android_asset/form.html'));
  const sent = report.sendnet.map(({ desthost, data }) => `${desthost} ${data}`);
  assert.ok(sent.some((each) => each.startsWith('forms.example.net') && each.includes('opened sms:7000?body=YES')));
  assert.ok(sent.some((each) => each.startsWith('forms.example.net') && each.includes('form script')));
  const leaks = new Set(report.dataleaks.map(({ tags, target }) => `${tags.join('+')} ${target}`));
  assert.deepEqual(
    without(['TAINT_PASSWORD plain.example.net:443', 'TAINT_DEVICE_SN second.example.net:443'], leaks),
    [],
  );
  assert.deepEqual(report.unmodelled, []);
});

test('newer interfaces for SIM cards, calls, locations, roles, keys and signers answer, and their use is reported', () => {
  const report = reportOf('Newer');
  const lines = new Set(report.log.map(({ tag, message }) => `${tag} ${message}`));
  const wanted = ['sealed kept for later', 'signers 1 com.android.vending', 'role b.newer', 'call 1', 'date come'];
  assert.deepEqual(without(wanted, lines), []);
  const tags = new Set(report.dataleaks.filter(({ kind }) => kind === 'sms').flatMap((leak) => leak.tags));
  assert.deepEqual(without(['TAINT_ICCID', 'TAINT_LOCATION_GPS'], tags), []);
  assert.deepEqual(report.unmodelled, []);
  assert.deepEqual(report.crashes, []);
});

test('HTTP, TLS and WebSocket that the app speaks by its own code are answered, and told of as what they are', () => {
  const report = reportOf('Wire');
  const lines = new Set(report.log.map(({ tag, message }) => `${tag} ${message}`));
  const wanted = [
    'shown CN=wire.example.org',
    'name wire.example.org',
    'status HTTP/1.1 101 Switching Protocols',
    'said hello',
  ];
  assert.deepEqual(without(wanted, lines), []);
  const network = summaries(report, 'network');
  const told = [
    'b.Wire$Anybody trusts wire.example.org without a valid certificate',
    'GET https://wire.example.org:8443/live',
  ];
  assert.deepEqual(without(told, network), []);
  assert.ok(report.sendnet.some(({ data, dataleak }) => /^im \d{15}$/.test(data) && dataleak?.includes('TAINT_IMEI')));
  assert.deepEqual(report.unmodelled, []);
});

test('a worm answers messages, takes orders in parts, of bots too, keeps messages and calls to itself, and sends what it has by FTP', () => {
  const report = reportOf('Worm');
  const notification = summaries(report, 'notification');
  assert.ok(
    [...notification].some((each) => /^answered the notification of com\.whatsapp: .* see b\.example\/a$/.test(each)),
  );
  const leaks = new Set(report.dataleaks.map(({ kind, tags, target }) => `${kind} ${tags.join('+')} ${target}`));
  assert.deepEqual(
    without(
      [
        'notification TAINT_NOTIFICATION com.whatsapp, com.samsung.android.messaging',
        'network TAINT_LOCATION_LAST api.telegram.org:443',
        'network TAINT_IMEI drop.example.org:21',
      ],
      leaks,
    ),
    [],
  );
  assert.ok(summaries(report, 'network').has('FTP ftp://user:pass@drop.example.org/id.txt'));
  assert.ok(report.sendsms.some(({ number, message }) => number === '5551234' && message === 'ordered 5551234'));
  assert.deepEqual(said(report, 'planned'), new Set(['0 1', '1 42']));
  assert.deepEqual(said(report, 'called'), new Set(['rings']));
  assert.ok(summaries(report, 'call').has('led an outgoing call to 0900'));
  assert.ok(summaries(report, 'install').has('asked to remove com.guard.example'));
  assert.ok(summaries(report, 'intent').has('kept android.provider.Telephony.SMS_RECEIVED from other apps'));
  assert.deepEqual(report.unmodelled, []);
});

test('the dex file is what javac and smali make of the programs', {
  skip: missingTools(),
}, async () => {
  const kept = readFileSync(new URL('../../../../fixtures/dynamic/behaviours/behaviours.dex', import.meta.url));
  assert.ok((await compileBehaviours()).equals(kept));
});

test('what is kept in tables leaves in their order, and every way of the network, of calls and of traffic is told', () => {
  const report = reportOf('Hoarder');
  assert.deepEqual(said(report, 'sql'), new Set(['added 1 again -1', 'left 2']));
  assert.deepEqual(said(report, 'batch'), new Set(['1']));
  assert.deepEqual(said(report, 'ussd'), new Set(['*100# true']));
  assert.deepEqual(said(report, 'failed'), new Set());
  const [first, second] = report.sendsms.filter(({ number }) => number === 'Anna').map(({ message }) => message);
  assert.deepEqual([first, second], ['last', '352090087612342']);
  const leaks = new Set(report.dataleaks.map(({ sink, tags, target }) => `${sink} ${tags.join('+')} ${target}`));
  const wanted = [
    'SmsManager.sendTextMessage TAINT_IMEI Anna',
    'SmsManager.sendTextMessage TAINT_SMS watch',
    'SmsManager.sendTextMessage TAINT_PHONE_NUMBER screen',
    'Socket.getOutputStream TAINT_IMEI plain.example.org:4444',
    'Socket.getOutputStream TAINT_IMEI chosen.example.org:5555',
    'DatagramSocket.send TAINT_IMEI packets.example.org:53',
    'URLConnection TAINT_FILECONTENT files.example.org:80',
  ];
  assert.deepEqual(without(wanted, leaks), []);
  assert.ok([...leaks].some((leak) => /^InetAddress\.getByName TAINT_IMEI \d+\.names\.example\.org/.test(leak)));
  assert.ok(![...leaks].some((leak) => leak.includes('TAINT_IMEI') && leak.includes('files.example.org')));
  assert.deepEqual(new Set(report.phonecalls.map(({ number }) => number)), new Set(['*100#', '**21*+4915112345#']));
  assert.deepEqual(
    without(
      ["called **21*+4915112345#, which leads the owner's calls to +4915112345", 'refused a call that came in'],
      summaries(report, 'call'),
    ),
    [],
  );
  const network = [
    'switched Wi-Fi off',
    'asked for the mobile network',
    'GET http://billing.example.org/subscribe',
    "led the phone's traffic through a VPN of its own, names from 203.0.113.9",
  ];
  assert.deepEqual(without(network, summaries(report, 'network')), []);
  assert.deepEqual([report.unmodelled, report.crashes, report.limits], [[], [], []]);
});

test('every sensitive call of own code was seen, with its arguments and by reflection too, or says why not', () => {
  const { coverage } = reportOf('Accounted');
  const calls = coverage.sensitive_calls!.filter(({ method }) => method.startsWith('Lb/Accounted'));
  const told = calls.map(({ method, api, values, reason }) => [
    `${method.replace(/.*;->|\(.*/g, '')} ${api.split('.').at(-1)}`,
    values.length > 0
      ? values.map((call) => call.arguments.filter((each) => each !== 'null').join(' ')).join('; ')
      : reason,
  ]);
  assert.deepEqual(Object.fromEntries(told), {
    'onCreate sendTextMessage': '7782 seen 0; 7782 seen 1',
    'reflected sendTextMessage': '7783 by reflection',
    'run exec': 'branch: b.Accounted.onCreate+0x49 depends on the field android.os.Build.MODEL and "no such phone"',
    'broken getDeviceId': 'exception: java.lang.IllegalStateException at b.Accounted.broken+0x0',
    'nobody getSubscriberId': 'dead: nothing calls b.Accounted.nobody',
    'run sendTextMessage': 'entry: nothing called b.Accounted$Place.run, which is for java.lang.Runnable',
    'onReceive sendTextMessage':
      'branch: b.Accounted$Order.onReceive+0x1c depends on "77" and what android.content.Intent.getStringExtra returned',
  });
  assert.ok(calls.every(({ state, reason }) => (state === 'observed') === (reason === '')));
});

test('code that the app loads is counted as its own, and its calls are accounted for', () => {
  const { coverage } = reportOf('Loader');
  const [sent] = coverage.sensitive_calls!.filter(
    ({ method, state }) => !method.startsWith('Lb/') && state === 'observed',
  );
  assert.deepEqual(
    [sent?.api, sent?.values[0]?.arguments[2]],
    ['android.telephony.SmsManager.sendTextMessage', 'from the payload'],
  );
  const { own } = coverage;
  assert.deepEqual([own!.methods_total, own!.methods_executed], [coverage.methods_total, coverage.methods_executed]);
});

/** What each app was seen to do that its level stands on; all of them declare the same, which alone is low. */
const levels: Record<BehaviourName, readonly [level: RiskLevel, ...reasons: FindingCode[]]> = {
  Loader: ['elevated', 'behaviour-unpacks-code', 'behaviour-sends-sms'],
  Banker: ['critical', 'behaviour-operates-apps', 'behaviour-sends-screen', 'behaviour-sends-notifications'],
  Remote: ['high', 'behaviour-root-command', 'behaviour-installs-app', 'behaviour-sends-sms'],
  Dialer: ['high', 'behaviour-sends-sms', 'behaviour-calls'],
  Evader: ['elevated', 'behaviour-sends-sms'],
  Accounted: ['high', 'behaviour-sends-sms'],
  Agent: ['critical', 'behaviour-hides-sms', 'behaviour-sends-messages'],
  Watcher: ['critical', 'behaviour-sends-sound', 'behaviour-sends-messages', 'behaviour-hides-sms'],
  Locker: ['critical', 'behaviour-encrypts-files', 'behaviour-locks', 'behaviour-hides-icon', 'behaviour-installs-app'],
  // Does its work in threads and jobs, and nothing else.
  Pulse: ['low'],
  Rooter: ['high', 'behaviour-root-command', 'behaviour-installs-app'],
  Lens: ['high', 'behaviour-sends-pictures', 'behaviour-sends-screen'],
  Sealed: ['elevated', 'behaviour-sends-sms'],
  Flows: ['high', 'behaviour-sends-screen', 'behaviour-sends-notifications', 'behaviour-sends-clipboard'],
  Guarded: ['elevated', 'behaviour-sends-sms'],
  Newer: ['high', 'behaviour-sends-location', 'behaviour-sends-identity', 'behaviour-sends-sms'],
  // A log-in page of its own, over TLS.
  Phish: ['low', 'behaviour-sends-identity'],
  Courier: ['high', 'behaviour-sends-messages', 'behaviour-hides-icon', 'behaviour-sends-sms'],
  Relay: ['high', 'behaviour-sends-card'],
  // An app of its own assets, by the system's installer, which asks the owner.
  Dropper: ['low', 'behaviour-installs-app'],
  Puppet: ['critical', 'behaviour-operates-apps', 'behaviour-sends-screen'],
  Hoarder: ['critical', 'behaviour-forwards-calls', 'behaviour-sends-messages', 'behaviour-sends-files'],
  // Trusts every certificate: weak, not malicious.
  Wire: ['low', 'behaviour-any-certificate'],
  Worm: ['critical', 'behaviour-answers-notifications', 'behaviour-hides-sms', 'behaviour-forwards-calls'],
};

test('what apps were seen to do decides how risky they are, and each reason names what was seen', () => {
  const declared = staticEvidence(analyzeStatic(memorySource(behaviourApk('Pulse')), { fileName: 'a.apk' }).androguard);
  for (const [name, [level, ...reasons]] of Object.entries(levels)) {
    const { findings = [] } = reportOf(name as BehaviourName);
    const seen = { findings: [...declared.findings, ...findings], uses: declared.uses, matches: [], antivirus: [] };
    const risk = weighRisk(seen);
    assert.equal(`${name} ${risk.level}`, `${name} ${level}`, JSON.stringify(risk.parts, null, 1));
    const named = new Set(risk.parts.flatMap(({ evidence }) => evidence.map((each) => each.name)));
    assert.deepEqual(without(reasons, named), [], name);
  }
});

const evidenceOf = (report: DynamicReport, code: FindingCode): string[] =>
  (report.findings ?? []).filter((finding) => finding.code === code).map(({ evidence }) => evidence);

test('behaviour is told in words, equal events once: who gets what, how often, and whether it was encrypted', () => {
  assert.deepEqual(evidenceOf(reportOf('Puppet'), 'behaviour-password-unencrypted'), [
    'sends the password unencrypted to keys.example.net:8765, 4 times',
  ]);
  assert.deepEqual(evidenceOf(reportOf('Lens'), 'behaviour-sends-pictures'), [
    'sends pictures of the camera to lens.example.net:443, 4 times',
  ]);
  assert.deepEqual(evidenceOf(reportOf('Courier'), 'behaviour-sends-messages'), [
    'sends text messages to api.telegram.org:443, 408 times',
  ]);
  assert.deepEqual(evidenceOf(reportOf('Dialer'), 'behaviour-sends-sms'), [
    'sends 12 text messages to the short number 81112: "YES 1"',
  ]);
  assert.deepEqual(evidenceOf(reportOf('Hoarder'), 'behaviour-forwards-calls'), [
    'calls **21*+4915112345#, 4 times, which diverts calls',
  ]);
  assert.deepEqual(evidenceOf(reportOf('Locker'), 'behaviour-encrypts-files'), [
    'reads, encrypts and replaces 6 files, as /storage/emulated/0/DCIM/Camera/20190614_183012.jpg',
  ]);
  // Clean data, and what others do, is nothing to tell of.
  assert.deepEqual(reportOf('Pulse').findings, []);
});

test('what was decrypted is there to read, and whom the app spoke to stands among the indicators', () => {
  const { cryptousage } = reportOf('Loader');
  const decrypted = cryptousage.filter(({ operation }) => operation === 'decryption').map(({ result }) => result ?? '');
  assert.ok(
    decrypted.length > 0 && decrypted.every((result) => result.startsWith(Buffer.from('dex\n').toString('hex'))),
  );
  const { indicators } = reportOf('Remote');
  assert.ok(indicators?.domains.some(({ value }) => value === 'c2.example.net'));
  assert.ok(indicators?.urls.some(({ value }) => value === 'http://c2.example.net/gate.php'));
  assert.deepEqual(
    indicators?.ips.map(({ value }) => value),
    ['203.0.113.77'],
  );
});
