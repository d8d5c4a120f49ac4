// Writes what the recorder noted in DroidBox's keys. Knows no machine and no app.
import { engineVersion } from '../../../contract/engine/engine-version.ts';
import type { DynamicReport } from '../../../contract/engine/reports.ts';
import type { Coverage } from '../machine/coverage.ts';
import type { Repeated } from './noted-events.ts';
import { type Noted, type Recorder, requestUrl } from './recorder.ts';
import type { Inventory } from './sensitive-calls.ts';

export interface RunFacts {
  readonly packageName: string;
  readonly instructions: number;
  readonly wallMilliseconds: number;
  readonly virtualSeconds: number;
  readonly coverage: Coverage;
  readonly sensitive: Inventory;
  readonly unreached: DynamicReport['coverage']['unreached'];
  readonly unmodelled: ReadonlyMap<string, number>;
  readonly crashes: DynamicReport['crashes'];
  readonly comparisons: DynamicReport['comparisons'];
}

const pid = 14_233;

/** Text as it is, binary data as lower-case hex, as DroidBox has them. */
export function dataText(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const text = buffer.toString('utf8');
  return /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffd]/.test(text) ? buffer.toString('hex') : text;
}

export function writeReport(
  recorder: Recorder,
  facts: RunFacts,
  artefacts: readonly { sha256: string; size: number; kind: string; path: string }[],
): DynamicReport {
  const { notes } = recorder;
  const base = ({ time, tid, tags, count, last }: Noted & Repeated) => ({
    pid,
    tid,
    processname: facts.packageName,
    time: seconds(time),
    ...repeated({ count, last }),
    ...(tags.length === 0 ? {} : { dataleak: tags }),
  });
  const peer = (note: Noted & Repeated & { host: string; port: number }) => ({
    desthost: note.host,
    destport: note.port,
    ...base(note),
  });
  const { coverage } = facts;
  return {
    fileswritten: notes.fileswritten.map((note) => ({ name: note.name, data: dataText(note.data), ...base(note) })),
    filesread: notes.filesread.map((note) => ({ name: note.name, data: dataText(note.data), ...base(note) })),
    filesopen: notes.filesopen.map((note) => ({ name: note.name, ...base(note) })),
    filesdeleted: notes.filesdeleted.map((note) => ({ name: note.name, ...base(note) })),
    opennet: notes.opennet.map(peer),
    closenet: notes.closenet.map(peer),
    sendnet: notes.sendnet.map((note) => ({ ...peer(note), data: dataText(note.data), encrypted: note.isEncrypted })),
    recvnet: notes.recvnet.map((note) => ({
      srchost: note.host,
      srcport: note.port,
      data: dataText(note.data),
      ...base(note),
    })),
    dns: notes.dns.map(({ hostname, ip }) => ({ hostname, ip })),
    dexclass: notes.dexclass.map((note) => ({ path: note.path, ...base(note) })),
    libraries: notes.libraries.map((note) => ({ name: note.name, ...base(note) })),
    servicestart: notes.servicestart.map((note) => ({ name: note.name, ...base(note) })),
    cryptousage: notes.cryptousage.map((note) => ({
      algorithm: note.algorithm,
      operation: note.operation,
      key: [...note.key].join(', '),
      ...(note.key.length === 0 ? {} : { key_hex: hex(note.key) }),
      ...modeOf(note.algorithm, note.operation),
      ...(note.vector === null ? {} : { iv: hex(note.vector) }),
      data: dataText(note.data),
      ...(note.result === null ? {} : { result: dataText(note.result) }),
      ...base(note),
    })),
    sendsms: notes.sendsms.map((note) => ({ number: note.number, message: note.message, ...base(note) })),
    phonecalls: notes.phonecalls.map((note) => ({ number: note.number, ...base(note) })),
    recvsaction: notes.recvsaction.map((note) => ({ name: note.name, action: note.action, ...base(note) })),
    enfperm: notes.enfperm.map((note) => ({ permission: note.permission, ...base(note) })),
    dataleaks: recorder.leaks.map(({ time, tid, count, last, ...leak }) => ({
      ...leak,
      ...base({ time, tid, count, last, tags: [] }),
    })),
    commands: notes.commands.map((note) => ({ command: note.command, ...base(note) })),
    log: notes.log.map((note) => ({ level: note.level, tag: note.tag, message: note.message, ...base(note) })),
    http: notes.http.map((note) => ({
      method: note.method,
      url: requestUrl(note),
      request: { head: note.head, body: dataText(note.body) },
      answer: { status: note.answer.status, head: note.answer.head, body: dataText(note.answer.body) },
      ...base(note),
    })),
    timeline: recorder.timeline.map(({ time, count, last, ...entry }) => ({
      ...entry,
      time: seconds(time),
      ...repeated({ count, last }),
    })),
    screens: recorder.screens.map((screen) => ({ ...screen, time: seconds(screen.time) })),
    coverage: {
      methods_total: coverage.methodsTotal,
      methods_executed: coverage.methodsExecuted,
      instructions_total: coverage.instructionsTotal,
      instructions_executed: coverage.instructionsExecuted,
      own: facts.sensitive.own,
      sensitive_calls: facts.sensitive.calls,
      unreached: facts.unreached,
    },
    artefacts: artefacts.map(({ sha256, size, kind, path }) => ({ sha256, size, kind, path })),
    decoded: recorder.decoded.texts,
    comparisons: facts.comparisons,
    unmodelled: [...facts.unmodelled]
      .map(([method, count]) => ({ method, count }))
      .sort((left, right) => right.count - left.count),
    crashes: facts.crashes,
    limits: [...recorder.limits],
    engine: {
      version: engineVersion,
      instructions: facts.instructions,
      wall_ms: facts.wallMilliseconds,
      virtual_seconds: seconds(facts.virtualSeconds),
    },
  };
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** Where something was seen once, the time that stands there says all. */
const repeated = ({ count, last }: Repeated) => (count === 1 ? {} : { count, last: seconds(last) });

/** The mode of a cipher as its transformation names it; Android takes ECB for block ciphers that are named without one. */
function modeOf(algorithm: string, operation: string): { mode?: string } {
  if (operation !== 'encryption' && operation !== 'decryption') return {};
  const [name = '', mode] = algorithm.split('/');
  if (mode !== undefined) return { mode };
  return /^(?:AES|DES|DESede|TripleDES|Blowfish|RC2)$/i.test(name) ? { mode: 'ECB' } : {};
}

const seconds = (value: number): number => Math.round(value * 1e6) / 1e6;
