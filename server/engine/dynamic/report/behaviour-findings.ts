// What of a dynamic report an analyst should know, as findings: equal events once, with their count, in words. Knows the
// report alone, whoever made it.
import type { DynamicReport } from '../../../contract/engine/reports.ts';
import type { Finding, Severity } from '../../../contract/findings/finding.ts';
import type { FindingCode } from '../../../contract/findings/finding-catalogue.ts';
import { Findings } from '../../findings.ts';
import { typedText } from '../world/people.ts';
import { behaviourEvents } from './behaviour-events.ts';
import { dataFlows } from './data-flows.ts';
import { repeated, shown, timesOf, viewOf } from './event-words.ts';

/** Findings of a run; what the world around the app did, such as the owner's typing, is none. */
export function behaviourFindings(report: DynamicReport): Finding[] {
  const findings = new Findings();
  dataFlows(report, findings);
  plainText(report, findings);
  if (report.engine.source === 'device') plainPorts(report, findings);
  textMessages(report, findings);
  phoneCalls(report, findings);
  commands(report, findings);
  loadedCode(report, findings);
  installedApps(report, findings);
  ownersFiles(report, findings);
  behaviourEvents(report, findings);
  return findings.list();
}

/** Each peer that was sent something without TLS, with the beginning of it. */
function plainText({ sendnet }: DynamicReport, findings: Findings): void {
  const plain = sendnet.filter(({ encrypted, destport }) => !(encrypted ?? destport === 443));
  for (const [peer, sent] of Map.groupBy(plain, ({ desthost, destport }) => `${desthost}:${destport}`)) {
    findings.add(
      'behaviour-plain-text',
      viewOf('network'),
      `sends data unencrypted to ${peer}${repeated(timesOf(sent))}: ${shown(sent[0]!.data)}`,
    );
  }
}

/** Protocols without encryption, at their ports (IANA's registry of service names and port numbers). */
const plainProtocols = new Map([
  [21, 'FTP'],
  [23, 'Telnet'],
  [80, 'HTTP'],
  [1883, 'MQTT'],
  [6667, 'IRC'],
  [8080, 'HTTP'],
]);

/** A device tells where connections led, not what went through them. */
function plainPorts({ opennet }: DynamicReport, findings: Findings): void {
  for (const [peer, [first]] of Map.groupBy(opennet, ({ desthost, destport }) => `${desthost} port ${destport}`)) {
    const protocol = plainProtocols.get(first!.destport);
    if (protocol === undefined) continue;
    findings.add('behaviour-plain-text', viewOf('network'), `speaks to ${peer}, where ${protocol} is not encrypted`);
  }
}

/** Short numbers belong to services that charge for messages; 0900 and its like for calls. */
const isCharged = (number: string): boolean => /^\d{3,6}$/.test(number) || /^(?:\+?\d{1,3})?0?90[0-9]\d*/.test(number);

const typed: ReadonlySet<string> = new Set(Object.values(typedText));

function textMessages({ sendsms }: DynamicReport, findings: Findings): void {
  for (const [number, sent] of Map.groupBy(sendsms, (message) => message.number)) {
    const times = timesOf(sent);
    const texts = [...new Set(sent.map(({ message }) => shown(message)))];
    const what = times === 1 ? 'a text message' : `${times} text messages`;
    // What the owner typed as a number is where the owner wants it to go.
    const severity: Severity = typed.has(number) ? 'low' : isCharged(number) ? 'high' : 'medium';
    const kind = isCharged(number) ? 'the short number ' : '';
    const rest = texts.length > 3 ? ` and ${texts.length - 3} other texts` : '';
    const said = `${texts
      .slice(0, 3)
      .map((text) => `"${text}"`)
      .join(', ')}${rest}`;
    findings.add('behaviour-sends-sms', viewOf('sms'), `sends ${what} to ${kind}${number}: ${said}`, severity);
  }
}

/** Codes that divert calls: 3GPP TS 22.030, annex B. */
const forwarding = /^\*{1,2}(?:21|61|62|67|002|004)\*\+?\d{3,20}\b/;

function phoneCalls({ phonecalls }: DynamicReport, findings: Findings): void {
  for (const [number, calls] of Map.groupBy(phonecalls, (call) => call.number)) {
    const evidence = `calls ${number}${repeated(timesOf(calls))}`;
    if (forwarding.test(number))
      findings.add('behaviour-forwards-calls', viewOf('sms'), `${evidence}, which diverts calls`);
    else findings.add('behaviour-calls', viewOf('sms'), evidence, isCharged(number) ? 'high' : undefined);
  }
}

const asRoot = /^(?:\S*\/)?su(?:\s|$)/;

function commands({ commands: ran }: DynamicReport, findings: Findings): void {
  for (const [command, runs] of Map.groupBy(ran, (each) => each.command)) {
    const code: FindingCode =
      asRoot.test(command) && command.includes(' ') ? 'behaviour-root-command' : 'behaviour-command';
    findings.add(code, viewOf('code'), `runs ${shown(command)}${repeated(timesOf(runs))}`);
  }
}

/** How a DEX file and an archive begin, in hex as the report has binary data. */
const programs = [Buffer.from('dex\n0').toString('hex'), Buffer.from('PK\x03\x04').toString('hex')];

/** Whether a program that lies at a path came over the network or out of a cipher; null: neither is known. */
function originsOf({ timeline, recvnet, cryptousage }: DynamicReport): (path: string) => 'network' | 'cipher' | null {
  const downloads = timeline.flatMap(({ category, summary }) =>
    category === 'download' ? (/ to (\S+)$/.exec(summary)?.[1] ?? []) : [],
  );
  const isReceived = recvnet.some(({ data }) => programs.some((program) => data.includes(program)));
  const isDecrypted = cryptousage.some(
    ({ operation, result }) => operation === 'decryption' && programs.some((program) => result?.startsWith(program)),
  );
  return (path) => (isReceived || downloads.includes(path) ? 'network' : isDecrypted ? 'cipher' : null);
}

/** Where the system puts what the APK itself brought. */
const installed = /^\/data\/app\//;
const loadingCodes = {
  network: 'behaviour-downloads-code',
  cipher: 'behaviour-unpacks-code',
} as const;

function loadedCode(report: DynamicReport, findings: Findings): void {
  const originOf = originsOf(report);
  for (const [path, loads] of Map.groupBy(report.dexclass, (each) => each.path)) {
    if (installed.test(path)) continue;
    const origin = originOf(path);
    const kept = report.artefacts.find((each) => each.path === path);
    const bytes = kept === undefined ? '' : `, ${kept.size} bytes, SHA-256 ${kept.sha256}`;
    findings.add(
      origin === null ? 'behaviour-loads-code' : loadingCodes[origin],
      viewOf('code'),
      `loads code from ${path === 'in memory' ? 'memory' : path}${bytes}${repeated(timesOf(loads))}`,
    );
  }
}

const installing = /^(installed as root|asked to install|installs) (.+)$/s;

function installedApps(report: DynamicReport, findings: Findings): void {
  const originOf = originsOf(report);
  const events = report.timeline.filter(({ category, summary }) => category === 'install' && installing.test(summary));
  for (const [summary, same] of Map.groupBy(events, (event) => event.summary)) {
    const [, how, path = ''] = installing.exec(summary)!;
    const origin = originOf(path);
    const came = origin === null ? '' : origin === 'network' ? ', which came over the network' : ', which it decrypted';
    // The system asks the owner before it installs what an app has brought along.
    const severity = how === 'installed as root' || origin !== null ? 'high' : undefined;
    findings.add(
      'behaviour-installs-app',
      viewOf('code'),
      `${shown(summary)}${came}${repeated(timesOf(same))}`,
      severity,
    );
  }
}

const shared = /^\/(?:storage\/emulated\/0|sdcard|mnt\/sdcard)\/(?!Android\/(?:data|obb)\/)/;

/** What happens to files of the shared storage that the app did not make itself. */
function ownersFiles({ filesread, fileswritten, filesdeleted, cryptousage }: DynamicReport, findings: Findings): void {
  const firstWrite = new Map(fileswritten.toReversed().map(({ name, time }) => [name, time]));
  const isForeign = (name: string, time: number) => shared.test(name) && (firstWrite.get(name) ?? Infinity) >= time;
  const read = new Set(filesread.filter(({ name, time }) => isForeign(name, time)).map(({ name }) => name));
  const deleted = [...new Set(filesdeleted.filter(({ name, time }) => isForeign(name, time)).map(({ name }) => name))];
  const changed = [...new Set([...deleted, ...fileswritten.map(({ name }) => name)])].filter((name) => read.has(name));
  const isEncrypting = cryptousage.some(({ operation }) => operation === 'encryption');
  const list = (names: readonly string[]) => (names.length === 1 ? names[0]! : `${names.length} files, as ${names[0]}`);
  if (isEncrypting && changed.length > 0) {
    findings.add('behaviour-encrypts-files', viewOf('files'), `reads, encrypts and replaces ${list(changed)}`);
  }
  const only = isEncrypting ? deleted.filter((name) => !read.has(name)) : deleted;
  if (only.length > 0) findings.add('behaviour-deletes-files', viewOf('files'), `deletes ${list(only)}`);
}
