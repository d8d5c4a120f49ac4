// Writes what the recorder noted in DroidBox's keys. Knows no machine and no app.
import { engineVersion } from '../../../contract/engine/engine-version.ts';
import type { DynamicReport } from '../../../contract/engine/reports.ts';
import type { Coverage } from '../machine/coverage.ts';
import type { Noted, Recorder } from './recorder.ts';

export interface RunFacts {
  readonly packageName: string;
  readonly instructions: number;
  readonly wallMilliseconds: number;
  readonly virtualSeconds: number;
  readonly coverage: Coverage;
  readonly unreached: DynamicReport['coverage']['unreached'];
  readonly unmodelled: ReadonlyMap<string, number>;
  readonly crashes: DynamicReport['crashes'];
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
  const base = ({ time, tid, tags }: Noted) => ({
    pid,
    tid,
    processname: facts.packageName,
    time: seconds(time),
    ...(tags.length === 0 ? {} : { dataleak: tags }),
  });
  const peer = (note: Noted & { host: string; port: number }) => ({
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
      data: dataText(note.data),
      ...(note.result === null ? {} : { result: dataText(note.result) }),
      ...base(note),
    })),
    sendsms: notes.sendsms.map((note) => ({ number: note.number, message: note.message, ...base(note) })),
    phonecalls: notes.phonecalls.map((note) => ({ number: note.number, ...base(note) })),
    recvsaction: notes.recvsaction.map((note) => ({ name: note.name, action: note.action, ...base(note) })),
    enfperm: notes.enfperm.map((note) => ({ permission: note.permission, ...base(note) })),
    dataleaks: recorder.leaks.map(({ time, tid, ...leak }) => ({ ...leak, ...base({ time, tid, tags: [] }) })),
    commands: notes.commands.map((note) => ({ command: note.command, ...base(note) })),
    log: notes.log
      .slice(0, 500)
      .map((note) => ({ level: note.level, tag: note.tag, message: note.message, ...base(note) })),
    timeline: recorder.timeline.map((entry) => ({ ...entry, time: seconds(entry.time) })),
    coverage: {
      methods_total: coverage.methodsTotal,
      methods_executed: coverage.methodsExecuted,
      instructions_total: coverage.instructionsTotal,
      instructions_executed: coverage.instructionsExecuted,
      unreached: facts.unreached,
    },
    artefacts: artefacts.map(({ sha256, size, kind, path }) => ({ sha256, size, kind, path })),
    decoded: recorder.decoded.texts,
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

const seconds = (value: number): number => Math.round(value * 1e6) / 1e6;
